import { systemClock } from '../../../src/platform/clock.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import type { Db } from '../../../src/storage/db.ts';
import { openPostgres } from '../../../src/storage/engines/postgres/postgres.ts';
import { claimDue } from '../../../src/delivery/claim/claim.ts';
import type { ClaimedDelivery } from '../../../src/delivery/claim/claimed-delivery.ts';
import { DueEndpointCache } from '../../../src/delivery/claim/due-endpoints.ts';
import { loadSendWork } from '../../../src/delivery/worker/pending-work.ts';
import type { EngineDeps } from '../../../src/delivery/engine.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { postgresStore } from '../../support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  fanOutAll,
  publish,
  recordOutcomes,
  respondWith,
  subscribe,
} from '../../support/webhook-world.ts';
import type { Bench } from '../bench.ts';
import { percentile } from './stage.ts';

const ENDPOINTS = 100;
const SYMBOLS = 1_000;
const CHANGES_PER_ROUND = 100;
const SLOTS = 512;
/** Each round makes ENDPOINTS × CHANGES_PER_ROUND deliveries. */
const ROUNDS = Number(process.env['BENCH_SNAPSHOT_ROUNDS'] ?? 18);
const RATIO_MAX = 1.2;
const clock = systemClock();

/**
 * Measures claims while another session holds a snapshot, which keeps VACUUM from removing the rows
 * of finished deliveries, beside a store without one.
 */
export const bench: Bench = {
  name: 'webhook held snapshot',
  target: `claims after ${ROUNDS * 10_000} deliveries under a held snapshot take at most ${RATIO_MAX} times as long as without, PostgreSQL`,
  async run() {
    const held = await openWorld();
    const free = await openWorld();
    if (held === null || free === null) return { passed: true, figures: { missing: 1 } };
    const holder = openPostgres({ url: held.url, poolSize: 1 });
    try {
      return await holder.readSnapshot(async (view) => {
        await view.query('select count(*) from delivery');
        return compare(held, free);
      });
    } finally {
      await holder.close();
      await held.db.close();
      await free.db.close();
    }
  },
};

interface World {
  db: Db;
  url: string;
  deps: EngineDeps;
  symbols: readonly string[];
  cache: DueEndpointCache;
  cursor: string;
}

async function openWorld(): Promise<World | null> {
  const server = await postgresStore();
  if ('missing' in server) return null;
  const deps = { db: server.db, clock, random: systemRandom(), templates: [template] };
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => `S${i}`);
  await addCompanies(server.db, symbols);
  for (let index = 0; index < ENDPOINTS; index += 1) {
    await addEndpoint(server.db, `ep${index}`);
  }
  await subscribe(deps, 'ep0', symbols);
  await fanOutAll(deps);
  await server.db.query(
    `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, answered_data)
     select s.template_id, s.symbol, 'ep' || n, now(), s.answered_data
       from webhook_subscription s, generate_series(1, ${ENDPOINTS - 1}) as n`,
  );
  await server.db.execute('vacuum analyze');
  return { ...server, deps, symbols, cache: new DueEndpointCache(clock), cursor: '' };
}

async function compare(held: World, free: World): ReturnType<Bench['run']> {
  const figures: Record<string, number> = {};
  for (let round = 1; round <= ROUNDS; round += 1) {
    const heldRound = await runRound(held, round);
    await free.db.execute('vacuum delivery');
    const freeRound = await runRound(free, round);
    process.stderr.write(`${round} ${JSON.stringify(heldRound)} ${JSON.stringify(freeRound)}\n`);
    if (round === 1) figures['firstRatio'] = ratioOf(heldRound, freeRound);
    if (round === ROUNDS) {
      figures['heldClaimMs'] = heldRound.claimMs;
      figures['freeClaimMs'] = freeRound.claimMs;
      figures['ratio'] = ratioOf(heldRound, freeRound);
    }
  }
  return { passed: Number(figures['ratio']) <= RATIO_MAX, figures };
}

function ratioOf(held: Round, free: Round): number {
  return Number((held.claimMs / free.claimMs).toFixed(2));
}

interface Round {
  fanOutMs: number;
  /** One check of an idle worker for work. */
  checkMs: number;
  /** A claim of SLOTS deliveries. */
  claimMs: number;
  /** A batch of 128 results. */
  recordMs: number;
}

/**
 * Changes the next companies, then claims and records all deliveries as a worker does. Times are
 * medians in milliseconds.
 */
async function runRound(world: World, round: number): Promise<Round> {
  const { db, deps, symbols, cache } = world;
  for (let change = 0; change < CHANGES_PER_ROUND; change += 1) {
    const symbol = symbols[(round * CHANGES_PER_ROUND + change) % SYMBOLS] ?? '';
    await publish(deps, symbol, { epsEstimate: `${round + 1}.5` });
  }
  const fanOutMs = await timed(() => fanOutAll(deps));
  cache.clear();
  const claims: number[] = [];
  const records: number[] = [];
  for (;;) {
    let deliveries: readonly ClaimedDelivery[] = [];
    const ms = await timed(async () => {
      const slots = { total: SLOTS, free: SLOTS, slowInFlight: 0, inFlightByCustomer: new Map() };
      const claim = await claimDue({ ...deps, dueEndpoints: cache }, slots, world.cursor);
      ({ deliveries, cursor: world.cursor } = claim);
    });
    if (deliveries.length === 0) break;
    if (deliveries.length === SLOTS) claims.push(ms);
    for (let from = 0; from < deliveries.length; from += 128) {
      const batch = deliveries.slice(from, from + 128);
      records.push(await timed(() => recordOutcomes(deps, batch, () => respondWith(200))));
    }
  }
  const checkMs = await timed(() => loadSendWork(db));
  const median = (values: readonly number[]) => Number(percentile(values, 0.5).toFixed(1));
  return {
    fanOutMs: Math.round(fanOutMs),
    checkMs: Number(checkMs.toFixed(1)),
    claimMs: median(claims),
    recordMs: median(records),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = clock.monotonicMs();
  await work();
  return clock.monotonicMs() - startedMs;
}
