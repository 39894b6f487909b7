import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { postgresStore } from '../../../test/support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  engineDeps,
  fanOutAll,
  publish,
  recordOutcomes,
  respondWith,
  subscribe,
} from '../../../test/support/webhook-world.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { openPostgres } from '../../storage/engines/postgres/postgres.ts';
import { forward } from '../../storage/forward.ts';
import { claimDue } from './claim.ts';
import { DueEndpointCache } from './due-endpoints.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const ENDPOINTS = ['ep1', 'ep2', 'ep3', 'ep4'];
const SYMBOLS = Array.from({ length: 16 }, (_, i) => `S${i}`);
const SLOTS = { total: 512, free: 512, slowInFlight: 0, inFlightByCustomer: new Map() };
const ROUNDS = 12;

const server = await postgresStore();

describe.skipIf('missing' in server)('claims while another session holds a snapshot', () => {
  let db: Db;
  let holder: Db;
  const clock = fakeClock(NOW);

  beforeAll(async () => {
    if ('missing' in server) return;
    db = server.db;
    holder = openPostgres({ url: server.url, poolSize: 1 });
    await addCompanies(db, SYMBOLS);
    const deps = engineDeps(db, clock);
    for (const id of ENDPOINTS) {
      await addEndpoint(db, id);
      await subscribe(deps, id, SYMBOLS);
    }
    await fanOutAll(deps);
    await db.execute('vacuum analyze');
  });
  afterAll(async () => {
    await holder.close();
    await db.close();
  });

  test('read no more index entries after many deliveries than before, except in full searches', async () => {
    await holder.readSnapshot(async (view) => {
      await view.query('select 1 from delivery limit 1');
      const withPositions = await entriesPerClaim(new DueEndpointCache(tickingClock()), ROUNDS);
      const without = await entriesPerClaim(undefined, 2);
      expect(withPositions.last).toBeLessThan(2 * withPositions.first);
      // The finished deliveries are still in the indexes.
      expect(without.first).toBeGreaterThan(5 * withPositions.last);
    });
  });

  test('find a delivery that became due before the position in the next full search', async () => {
    const searches = tickingClock();
    const cache = new DueEndpointCache(searches);
    const deps = engineDeps(db, clock, 5);
    const claim = () => claimDue({ ...deps, dueEndpoints: cache }, SLOTS, '');
    await change(deps, '7.1');
    const { deliveries } = await claim();
    await recordOutcomes(deps, deliveries, () => respondWith(200));
    await change(deps, '7.2');
    await db.query(
      `update delivery set due_at = due_at - interval '1 hour' where state = 'pending'`,
    );
    cache.clear();
    expect(cache.positions.isLimited()).toBe(true);
    expect((await claim()).deliveries).toEqual([]);
    searches.advance(60_000);
    const found = await claim();
    expect(found.deliveries.length).toBeGreaterThan(0);
    await recordOutcomes(deps, found.deliveries, () => respondWith(200));
  });

  /** Returns how many index entries a claim reads, in the first and the last of many rounds. */
  async function entriesPerClaim(
    cache: DueEndpointCache | undefined,
    rounds: number,
  ): Promise<{ first: number; last: number }> {
    const counts: number[] = [];
    let seed = 10;
    for (let round = 0; round < rounds; round += 1) {
      const deps = engineDeps(db, clock, (seed += 1));
      await clock.advance(5_000);
      await change(deps, `${cache === undefined ? 2 : 1}.${round + 10}`);
      cache?.clear();
      const entries: number[] = [];
      for (;;) {
        const counting = countingDb(db, (count) => entries.push(count));
        const claimDeps = { ...deps, db: counting, ...(cache && { dueEndpoints: cache }) };
        const { deliveries } = await claimDue(claimDeps, SLOTS, '');
        if (deliveries.length === 0) break;
        await recordOutcomes(deps, deliveries, () => respondWith(200));
      }
      counts.push(Math.min(...entries.slice(0, -1)));
    }
    return { first: counts[1] ?? Number.NaN, last: counts.at(-1) ?? Number.NaN };
  }
});

async function change(deps: ReturnType<typeof engineDeps>, epsEstimate: string): Promise<void> {
  for (const symbol of SYMBOLS) await publish(deps, symbol, { epsEstimate });
  await fanOutAll(deps);
}

/** A clock on which every reading takes a millisecond, so that searches have a duration. */
function tickingClock(): { monotonicMs(): number; advance(ms: number): void } {
  let ms = 0;
  return {
    monotonicMs: () => (ms += 1),
    advance(byMs) {
      ms += byMs;
    },
  };
}

/** Counts the index entries of the queue that each transaction reads, dead ones included. */
function countingDb(db: Db, onCount: (count: number) => void): Db {
  return forward(db, {
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const before = await entriesRead(tx);
        const result = await work(tx);
        onCount((await entriesRead(tx)) - before);
        return result;
      }, options),
  });
}

async function entriesRead(tx: Transaction): Promise<number> {
  // Returns one row.
  const [row] = await tx.query<{ count: number }>(
    `select sum(pg_stat_get_xact_tuples_returned(indexrelid))::float8 as count
       from pg_stat_user_indexes where indexrelname = 'delivery_due'`,
  );
  return row?.count ?? Number.NaN;
}
