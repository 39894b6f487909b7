import autocannon from 'autocannon';
import { postgresStore } from '../support/stores.ts';
import type { Bench } from './bench.ts';
import { benchKeys, storeKeys } from './metered-keys.ts';
import { type Child, startChild } from './read-load.ts';

const RATIO_MIN = 0.85;
const ROUNDS = 9;
const CONNECTIONS = 64;
/** A fixed number, so that a busy machine lengthens a round instead of shrinking its sample. */
const REQUESTS = Number(process.env['BENCH_QUOTA_REQUESTS'] ?? 60_000);
const SERVER = new URL('./metered-read-server.ts', import.meta.url);

/**
 * Compares metered, cached reads of one server process whose quotas are shared on PostgreSQL with
 * the same server on the embedded store, which counts in memory. Both servers are warmed up with
 * the customers of the rounds, and the rounds alternate.
 *
 * `busy`: 32 customers of a large plan, for which the process leases blocks. `inTurn`: 4,000
 * customers in turn on a plan without blocks, so PostgreSQL counts every request. The load generator
 * and PostgreSQL share the cores, so `generatorCores` near 1 means that the generator limits the rate.
 */
export const bench: Bench = {
  name: 'shared quotas',
  target: `rate of busy customers ≥ ${RATIO_MIN} × that of the embedded store`,
  async run() {
    const busy = await compare('busy', { plan: 'wide', customers: 32 });
    if (typeof busy === 'string') return { passed: true, figures: { skipped: busy } };
    const inTurn = await compare('inTurn', { plan: 'counted', customers: 4_000 });
    if (typeof inTurn === 'string') return { passed: true, figures: { skipped: inTurn } };
    const passed = Number(busy['busyRatio']) >= RATIO_MIN;
    return { passed, figures: { ...busy, ...inTurn } };
  },
};

/** Returns the medians of all rounds of a pattern, or a note if there is no PostgreSQL. */
async function compare(
  name: string,
  { plan, customers }: { plan: string; customers: number },
): Promise<Record<string, string | number> | string> {
  const store = await postgresStore();
  if ('missing' in store) return store.missing;
  await storeKeys(store.db, plan);
  const paths = benchKeys()
    .slice(0, customers)
    .map((key) => `/v1/calendar/earnings?date=2026-11-20&apikey=${key}`);
  const embedded = await startChild(SERVER, [plan]);
  const shared = await startChild(SERVER, [plan, store.url]);
  for (const server of [embedded, shared]) await measure(server, paths);
  const rounds: { embedded: Figures; shared: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isReversed = round % 2 === 1;
    const first = await measure(isReversed ? shared : embedded, paths);
    const second = await measure(isReversed ? embedded : shared, paths);
    rounds.push(
      isReversed ? { embedded: second, shared: first } : { embedded: first, shared: second },
    );
  }
  for (const server of [embedded, shared]) server.stop();
  await store.db.close();
  const middle = (figure: (round: (typeof rounds)[number]) => number) =>
    rounds.map(figure).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  return {
    [`${name}Ratio`]: middle((round) => round.shared.perSecond / round.embedded.perSecond).toFixed(
      2,
    ),
    [`${name}EmbeddedPerSecond`]: Math.round(middle((round) => round.embedded.perSecond)),
    [`${name}SharedPerSecond`]: Math.round(middle((round) => round.shared.perSecond)),
    [`${name}CpuMicrosEmbedded`]: middle((round) => round.embedded.cpuMicros).toFixed(1),
    [`${name}CpuMicrosShared`]: middle((round) => round.shared.cpuMicros).toFixed(1),
    [`${name}GeneratorCoresEmbedded`]: middle((round) => round.embedded.generatorCores).toFixed(2),
    [`${name}GeneratorCoresShared`]: middle((round) => round.shared.generatorCores).toFixed(2),
  };
}

interface Figures {
  perSecond: number;
  /** CPU time per request in the server, without PostgreSQL. */
  cpuMicros: number;
  /** Cores that the load generator kept busy. */
  generatorCores: number;
}

/**
 * Runs one round. Each connection has its own customers while there are enough, so that the
 * connections do not request for the same customer in step.
 */
async function measure(server: Child, paths: readonly string[]): Promise<Figures> {
  const before = await server.cpuMicros();
  const generatorBefore = process.cpuUsage();
  let connection = 0;
  const { requests, duration, non2xx, errors } = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    amount: REQUESTS,
    setupClient(client) {
      const offset = connection % Math.min(CONNECTIONS, paths.length);
      client.setRequests(
        paths.filter((_, index) => index % CONNECTIONS === offset).map((path) => ({ path })),
      );
      connection += 1;
    },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  const generator = process.cpuUsage(generatorBefore);
  const cpuMicros = (await server.cpuMicros()) - before;
  return {
    perSecond: requests.total / duration,
    cpuMicros: cpuMicros / requests.total,
    generatorCores: (generator.user + generator.system) / 1e6 / duration,
  };
}
