import { stepsFrom } from './protocol-model.ts';
import { type Bounds, firstState, type State } from './protocol-state.ts';

export interface Exploration {
  states: number;
  /** The first violation found, after the names of the steps that lead to it. */
  violation: string | null;
}

/** Visits every reachable state, nearest first, until a guarantee is broken. */
export function explore(bounds: Bounds): Exploration {
  const first = firstState(bounds);
  const seen = new Set([keyOf(first)]);
  let level: { state: State; path: string }[] = [{ state: first, path: '' }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { state, path } of level) {
      const steps = stepsFrom(state, bounds);
      for (const { name, endpoint, worker, state: after, violation } of steps) {
        const place = endpoint < 0 ? '' : ` ${endpoint}${worker < 0 ? '' : `/${worker}`}`;
        const longer = `${path}${path === '' ? '' : ', '}${name}${place}`;
        if (violation !== undefined)
          return { states: seen.size, violation: `${longer}: ${violation}` };
        const key = keyOf(after);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ state: after, path: longer });
      }
      const lost = lostChange(state);
      if (lost !== null) return { states: seen.size, violation: `${path}: ${lost}` };
    }
    level = next;
  }
  return { states: seen.size, violation: null };
}

/** Once nothing is open, every receiver must have the newest data. */
function lostChange({ version, endpoints }: State): string | null {
  for (const { fannedOut, waiting, leaving, tasks, receiver } of endpoints) {
    const isQuiet = fannedOut === version && waiting === null && leaving === null;
    if (isQuiet && tasks.every((task) => task === null) && receiver.newest !== version) {
      return 'a receiver misses the newest data, and nothing is open';
    }
  }
  return null;
}

/** Workers are alike, so states that differ only in their order count once. */
function keyOf({ endpoints, ...rest }: State): string {
  const workers = endpoints[0]?.tasks.map((_, worker) =>
    JSON.stringify(endpoints.map(({ tasks }) => tasks[worker])),
  );
  const alone = endpoints.map((endpoint) => ({ ...endpoint, tasks: [] }));
  return JSON.stringify([rest, alone, workers?.toSorted()]);
}
