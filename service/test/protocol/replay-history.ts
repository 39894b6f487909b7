import type { HistoryEvent } from '../support/webhook-model.ts';
import { stepsFrom } from './protocol-model.ts';
import { type Bounds, firstState, type State } from './protocol-state.ts';

const UNBOUNDED: Bounds = {
  workers: 1,
  endpoints: 1,
  changes: Infinity,
  failures: Infinity,
  crashes: Infinity,
};

/** A state of the model that fits everything so far, and the model's ids of known deliveries. */
interface Candidate {
  state: State;
  ids: ReadonlyMap<string, number>;
}

/**
 * Follows what the engine did for one company and endpoint in the model. Returns the first event that
 * the model does not allow, or null. Decisions that send nothing are not among the events, so the
 * model may take them between any two.
 */
export function replayHistory(events: readonly HistoryEvent[]): string | null {
  let candidates: Candidate[] = [{ state: firstState(UNBOUNDED), ids: new Map() }];
  for (const [index, event] of events.entries()) {
    candidates = distinct(withSilentSteps(candidates).flatMap((each) => follow(each, event)));
    if (candidates.length === 0) return `event ${index}: ${JSON.stringify(event)}`;
  }
  return null;
}

function take(candidate: Candidate, name: string): Candidate[] {
  const steps = stepsFrom(candidate.state, UNBOUNDED);
  return steps
    .filter((step) => step.name === name && step.violation === undefined)
    .map(({ state }) => ({ ...candidate, state }));
}

const taskOf = ({ state }: Candidate) => state.endpoints[0]?.tasks[0] ?? null;

function withSilentSteps(candidates: readonly Candidate[]): Candidate[] {
  const all = [...candidates];
  for (const candidate of all) {
    const claims = take(candidate, 'read').flatMap((read) => take(read, 'claim'));
    all.push(...claims.filter((claim) => taskOf(claim) === null));
  }
  return all;
}

function follow(candidate: Candidate, event: HistoryEvent): Candidate[] {
  const orSame = (next: Candidate[]): Candidate[] => (next.length === 0 ? [candidate] : next);
  switch (event.kind) {
    case 'change':
      return take(candidate, 'change');
    case 'fan-out':
      return orSame(take(candidate, 'fan-out'));
    case 'claim': {
      const claims = take(candidate, 'read').flatMap((read) => take(read, 'claim'));
      return claims.flatMap((claim) => {
        const task = taskOf(claim);
        const id = claim.ids.get(event.id);
        const isNew = id === undefined && ![...claim.ids.values()].includes(task?.id ?? 0);
        if (task === null || task.data !== event.version || !(isNew || id === task.id)) return [];
        return [{ ...claim, ids: new Map([...claim.ids, [event.id, task.id]]) }];
      });
    }
    case 'arrive':
      return take(candidate, 'send');
    case 'record':
      return take(candidate, event.outcome).flatMap((ended) => take(ended, 'record'));
    case 'crash':
      return orSame(take(candidate, 'crash')).flatMap((crashed) => {
        const expired = take(crashed, 'expire');
        return expired.length === 0 ? [crashed] : expired;
      });
  }
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const keyOf = ({ state, ids }: Candidate): string => JSON.stringify([state, [...ids]]);
  return [...new Map(candidates.map((each) => [keyOf(each), each])).values()];
}
