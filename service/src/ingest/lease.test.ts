import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countingDb } from '../../test/support/counting-db.ts';
import { runSize } from '../../test/support/run-size.ts';
import { silentLog } from '../../test/support/logs.ts';
import { emptyStore, memoryStore, postgresStore } from '../../test/support/stores.ts';
import { LeaseLostError } from '../datasets/jobs/lease-store.ts';
import { fakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import type { Db } from '../storage/db.ts';
import { type LeaseTerm, withLease } from './lease.ts';

const TURNS = runSize({ slice: 6, whole: 200 });

/**
 * Creates a process that competes for the lease. It has its own clock, so that it can be suspended.
 */
function candidate(db: Db, holder: string) {
  const clock = fakeClock(0);
  const end = new AbortController();
  const terms: LeaseTerm[] = [];
  const waitedFor: string[] = [];
  const finished = withLease({ db, clock, log: silentLog, holder }, 'source', end.signal, {
    onWaiting: (other) => waitedFor.push(other),
    work(term) {
      terms.push(term);
      return new Promise((resolve) =>
        term.signal.addEventListener('abort', () => resolve(undefined)),
      );
    },
  });
  return {
    clock,
    terms,
    waitedFor,
    holds: () => terms.some(({ signal }) => !signal.aborted),
    async release() {
      end.abort();
      await finished;
    },
  };
}

/** Returns true if a statement is waiting for another transaction's lock. */
async function isLockWaiting(db: Db): Promise<boolean> {
  // Returns one row per waiting statement.
  const lockWaits = await db.query(
    `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return lockWaits.length > 0;
}

type CountedStore = ReturnType<typeof countingDb>;

/**
 * Advances the clocks second by second while the store is idle, until the condition is true or time
 * runs out.
 */
async function advance(
  store: CountedStore,
  clocks: readonly FakeClock[],
  seconds: number,
  condition: () => boolean = () => false,
): Promise<number> {
  for (let second = 0; second < seconds; second++) {
    if (condition()) return second;
    for (const clock of clocks) await clock.advance(1000);
    await waitUntilIdle(store);
  }
  return seconds;
}

/**
 * Waits for all pending statements. Without this wait, half a minute could pass on the clocks
 * during one heartbeat on a busy machine.
 */
async function waitUntilIdle({ isBusy }: CountedStore): Promise<void> {
  for (let idle = 0; idle < 5; idle++) {
    await nextTurn();
    if (isBusy()) idle = 0;
  }
}

/** Waits until the candidate has the lease; fails after a few minutes on its own clock. */
async function waitUntilHolding(
  store: CountedStore,
  process: ReturnType<typeof candidate>,
): Promise<void> {
  await advance(store, [process.clock], 300, process.holds);
  expect(process.holds()).toBe(true);
}

describe('a lease on PostgreSQL', async () => {
  const server = await postgresStore();
  if ('missing' in server) {
    it('skips the lease tests if no PostgreSQL server is available', ({ skip }) =>
      skip(server.missing));
    return;
  }
  const store = countingDb(server.db);
  const { db } = store;
  const { url } = server;
  afterAll(() => db.close());
  beforeAll(() => emptyStore(db));

  it('gives the lease to one holder at a time, and to the next process on release', async () => {
    await emptyStore(db);
    const first = candidate(db, 'first');
    await waitUntilHolding(store, first);
    const second = candidate(db, 'second');
    await advance(store, [first.clock, second.clock], 120);
    expect([first.holds(), second.holds()]).toEqual([true, false]);
    await first.release();
    await advance(store, [second.clock], 20, second.holds);
    expect([first.holds(), second.holds()]).toEqual([false, true]);
    await second.release();
  });

  it("reports a holder that acquired the lease during another process's attempt", async () => {
    const first = Promise.withResolvers<ReturnType<typeof candidate>>();
    // The late process finds no holder, but another process acquires the lease first.
    const late: Db = {
      ...db,
      async query(sql, params) {
        if (sql.includes('insert into ingest_lease')) {
          const early = candidate(db, 'early 1');
          await waitUntilHolding(store, early);
          first.resolve(early);
        }
        return server.db.query(sql, params);
      },
    };
    const second = candidate(late, 'late 2');
    const early = await first.promise;
    await expect.poll(() => second.waitedFor).toEqual(['early 1']);
    for (const process of [second, early]) await process.release();
  });

  it("passes the lease on from a suspended holder after half a minute, and rejects the holder's later writes", async () => {
    await emptyStore(db);
    const first = candidate(db, 'first');
    await waitUntilHolding(store, first);
    const second = candidate(db, 'second');
    // The first clock doesn't advance, like that of a suspended process.
    const took = await advance(store, [second.clock], 100, second.holds);
    expect(took).toBeGreaterThanOrEqual(30);
    expect(took).toBeLessThan(45);
    const late = first.terms[0]?.db.transaction((tx) => tx.query('select 1'));
    await expect(late).rejects.toThrow(LeaseLostError);
    await second.terms[0]?.db.transaction((tx) => tx.query('select 1'));
    // After resuming, the first process notices that it lost the lease and waits.
    await advance(store, [first.clock, second.clock], 20, () => !first.holds());
    expect([first.holds(), second.holds()]).toEqual([false, true]);
    await first.release();
    await second.release();
  });

  it('waits for a running transaction of the previous holder before granting the lease', async () => {
    await emptyStore(db);
    const first = candidate(db, 'first');
    await waitUntilHolding(store, first);
    const second = candidate(db, 'second');
    const gate = Promise.withResolvers<void>();
    const written = first.terms[0]?.db.transaction(() => gate.promise);
    while (!(await isLockWaiting(server.db))) await second.clock.advance(1000);
    expect(second.holds()).toBe(false);
    gate.resolve();
    await written;
    await waitUntilHolding(store, second);
    await first.release();
    await second.release();
  });

  it('passes the lease on from a killed process', async () => {
    await emptyStore(db);
    const script = fileURLToPath(new URL('../../test/support/lease-holder.ts', import.meta.url));
    const child = spawn(process.execPath, [script, url, 'source'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const next = candidate(db, 'next');
    await advance(store, [next.clock], 3);
    expect(next.holds()).toBe(false);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await waitUntilHolding(store, next);
    await next.release();
  });

  it(
    `never grants the lease to two holders during ${TURNS} suspensions`,
    { timeout: 300_000 },
    async () => {
      await emptyStore(db);
      const candidates = ['a', 'b', 'c'].map((name) => candidate(db, name));
      let tokens = 0;
      for (let turn = 0; turn < TURNS; turn++) {
        // Suspends the holder while the other processes continue.
        const awake = candidates.filter((process) => !process.holds());
        await advance(
          store,
          awake.map(({ clock }) => clock),
          60,
          () => awake.some(({ holds }) => holds()),
        );
        let committed = 0;
        for (const process of candidates.filter(({ holds }) => holds())) {
          const work = process.terms.at(-1)?.db.transaction((tx) => tx.query('select 1'));
          committed += (await work?.then(() => 1).catch(() => 0)) ?? 0;
        }
        expect(committed).toBe(1);
        tokens++;
        await advance(
          store,
          candidates.map(({ clock }) => clock),
          15,
        );
      }
      expect(tokens).toBe(TURNS);
      await Promise.all(candidates.map((process) => process.release()));
    },
  );
});

describe('a lease on the embedded store', () => {
  let store: CountedStore;
  let db: Db;
  beforeAll(async () => {
    store = countingDb(await memoryStore());
    ({ db } = store);
  });
  afterAll(() => db.close());

  it('passes the lease on immediately from a dead process, since only one process can open the store', async () => {
    await db.query(
      `insert into ingest_lease (name, token, beat, holder) values ('source', 7, 3, 'dead 1')`,
    );
    const next = candidate(db, 'next 2');
    await waitUntilHolding(store, next);
    const second = candidate(db, 'next 2');
    await advance(store, [next.clock, second.clock], 60);
    expect(second.holds()).toBe(false);
    await next.release();
    await advance(store, [second.clock], 20, second.holds);
    expect(second.holds()).toBe(true);
    await second.release();
  });
});
