import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateKey } from '../../../src/accounts/keys/key-format.ts';
import type { Endpoint, Parameter } from '../../../src/endpoints/endpoint.ts';
import { endpoints } from '../../../src/endpoints/registry.gen.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import { namingOf } from '../../../src/providers/sandbox/market/names.ts';
import type { Db } from '../../../src/storage/db.ts';
import { send } from '../../support/read-server.ts';
import type { Bench } from '../bench.ts';
import { sessions, SYMBOLS } from './size.ts';
import { sizedStore } from './sized-store.ts';

const READS = 100;
const P99_MS_MAX = 2_000;

/**
 * Measures uncached reads of every endpoint, one after another, on a full-size PostgreSQL store.
 * Each read uses a different day, symbol or id and an empty response cache. Memory is measured in
 * the serving process after all reads.
 */
export const bench: Bench = {
  name: 'cold-reads at size',
  target: `p99 of every endpoint ≤ ${P99_MS_MAX} ms on PostgreSQL`,
  async run() {
    const store = await sizedStore();
    if ('missing' in store) return { passed: true, figures: { postgres: store.missing } };
    const ids = await eventIds(store.db);
    const child = await startServer(store.url);
    const figures: Record<string, string | number> = { symbols: SYMBOLS, bars: store.bars };
    let worst = 0;
    try {
      for (const endpoint of endpoints.filter(({ findFile }) => findFile === undefined)) {
        const latencies: number[] = [];
        for (let at = 0; at < READS; at++)
          latencies.push(await child.read(pathOf(endpoint, at, ids)));
        const sorted = latencies.toSorted((a, b) => a - b);
        const part = (share: number): number => sorted[Math.floor((READS - 1) * share)] ?? 0;
        worst = Math.max(worst, part(0.99));
        figures[`${endpoint.name} p50/p99 ms`] = `${part(0.5).toFixed(1)}/${part(0.99).toFixed(1)}`;
      }
      const { rss, heapUsed } = await child.tell('memory');
      figures['memory MB'] = Math.round(rss / 1e6);
      figures['heap MB'] = Math.round(heapUsed / 1e6);
    } finally {
      child.stop();
    }
    return { passed: worst <= P99_MS_MAX, figures };
  },
};

/** Returns a request path with the endpoint's required parameters, different for each `at`. */
function pathOf(endpoint: Endpoint, at: number, ids: readonly string[]): string {
  let path = endpoint.path;
  const query = new URLSearchParams();
  for (const parameter of endpoint.parameters) {
    const isDate = parameter.name === 'date';
    if (!parameter.required && !isDate) continue;
    const value = valueOf(parameter, at, ids);
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, value);
    else query.set(parameter.name, value);
  }
  return `${path}?${query.toString()}`;
}

function valueOf(parameter: Parameter, at: number, ids: readonly string[]): string {
  const days = sessions();
  const symbol = namingOf((at * 97) % SYMBOLS).symbol;
  switch (parameter.kind) {
    case 'date':
      return days[days.length - 1 - (at % Math.min(days.length, 250))] ?? '';
    case 'symbol':
    case 'symbols':
      return symbol;
    case 'id':
      return parameter.name === 'id' ? (ids[at % ids.length] ?? '') : parameter.example;
    default:
      throw new Error(`no value for parameter ${parameter.name}`);
  }
}

async function eventIds(db: Db): Promise<string[]> {
  // Loads the ids of some current events.
  const rows = await db.query<{ id: string }>(
    `select id from earnings_event where known_to is null order by id limit ${READS}`,
  );
  return rows.map(({ id }) => id);
}

interface Memory {
  rss: number;
  heapUsed: number;
}

async function startServer(databaseUrl: string) {
  const clock = systemClock();
  const key = generateKey('test', seededRandom(9));
  const file = fileURLToPath(new URL('./cold-reads-server.ts', import.meta.url));
  const child = spawn(process.execPath, [file, key, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('the child process has no stdout');
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const port = Number(new URL(url).port);
  const tell = async (message: 'forget' | 'memory'): Promise<Memory> => {
    child.send(message);
    const [memory] = (await once(child, 'message')) as [Memory];
    return memory;
  };
  return {
    tell,
    /** Reads with an empty cache. Returns the milliseconds until the response is complete. */
    async read(path: string): Promise<number> {
      await tell('forget');
      const beganMs = clock.monotonicMs();
      const { status } = await send(port, { path, headers: { 'x-api-key': key } });
      const latencyMs = clock.monotonicMs() - beganMs;
      if (status !== 200) throw new Error(`${path} returned ${status}`);
      return latencyMs;
    },
    stop: () => void child.kill(),
  };
}
