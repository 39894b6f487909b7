import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../test/support/silent-log.ts';
import { emptyStore, memoryStore, postgresStore } from '../../test/support/stores.ts';
import { LeaseLostError } from '../datasets/jobs/lease-store.ts';
import { fakeClock } from '../platform/fake-clock.ts';
import type { FakeClock } from '../platform/fake-clock.ts';
import type { Db } from '../storage/db.ts';
import { underLease } from './lease.ts';
import type { Term } from './lease.ts';

/** One process as far as leases go: on a clock of its own, so that it can be stopped. */
function candidate(db: Db, holder: string) {
  const clock = fakeClock(0);
  const end = new AbortController();
  const terms: Term[] = [];
  const done = underLease({ db, clock, log: silentLog, holder }, 'source', end.signal, {
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
    holds: () => terms.some(({ signal }) => !signal.aborted),
    async leave() {
      end.abort();
      await done;
    },
  };
}

/** Moves clocks on second by second, letting the store answer, until it is so or time is up. */
async function pass(
  db: Db,
  clocks: readonly FakeClock[],
  seconds: number,
  isSo: () => boolean = () => false,
): Promise<number> {
  for (let second = 0; second < seconds; second++) {
    if (isSo()) return second;
    for (const clock of clocks) await clock.advance(1000);
    // What the candidates asked of the store is answered before this is.
    for (let turn = 0; turn < 3; turn++) await db.query('select 1');
  }
  return seconds;
}

/** Until it holds the lease; fails when it has not in a few minutes of its own clock. */
async function until(db: Db, one: ReturnType<typeof candidate>): Promise<void> {
  await pass(db, [one.clock], 300, one.holds);
  expect(one.holds()).toBe(true);
}

describe('a lease on PostgreSQL', async () => {
  const server = await postgresStore();
  if ('missing' in server) {
    it('needs a server', ({ skip }) => skip(server.missing));
    return;
  }
  const { db, url } = server;
  afterAll(() => db.close());
  beforeAll(() => emptyStore(db));

  it('is held by one, and goes to the next when it is given back', async () => {
    await emptyStore(db);
    const first = candidate(db, 'first');
    await until(db, first);
    const second = candidate(db, 'second');
    await pass(db, [first.clock, second.clock], 120);
    expect([first.holds(), second.holds()]).toEqual([true, false]);
    await first.leave();
    await pass(db, [second.clock], 20, second.holds);
    expect([first.holds(), second.holds()]).toEqual([false, true]);
    await second.leave();
  });

  it('passes from a stopped holder after half a minute, and refuses what that one stores later', async () => {
    await emptyStore(db);
    const first = candidate(db, 'first');
    await until(db, first);
    const second = candidate(db, 'second');
    // The clock of the first stands still, as that of a stopped process does.
    const took = await pass(db, [second.clock], 100, second.holds);
    expect(took).toBeGreaterThanOrEqual(30);
    expect(took).toBeLessThan(45);
    const late = first.terms[0]?.db.transaction((tx) => tx.query('select 1'));
    await expect(late).rejects.toThrow(LeaseLostError);
    await second.terms[0]?.db.transaction((tx) => tx.query('select 1'));
    // Awake again, the first notices and stands by.
    await pass(db, [first.clock, second.clock], 20, () => !first.holds());
    expect([first.holds(), second.holds()]).toEqual([false, true]);
    await first.leave();
    await second.leave();
  });

  it('makes who takes over wait for a transaction that has begun', async () => {
    await emptyStore(db);
    const first = candidate(db, 'first');
    await until(db, first);
    const second = candidate(db, 'second');
    const gate = Promise.withResolvers<void>();
    const written = first.terms[0]?.db.transaction(() => gate.promise);
    await pass(db, [second.clock], 60);
    expect(second.holds()).toBe(false);
    gate.resolve();
    await written;
    await until(db, second);
    await first.leave();
    await second.leave();
  });

  it('passes from a killed process', async () => {
    await emptyStore(db);
    const script = fileURLToPath(new URL('../../test/support/lease-holder.ts', import.meta.url));
    const child = spawn(process.execPath, [script, url, 'source'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const next = candidate(db, 'next');
    await pass(db, [next.clock], 3);
    expect(next.holds()).toBe(false);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await until(db, next);
    await next.leave();
  });

  it('never has two holders, whoever stops and wakes', async () => {
    await emptyStore(db);
    const candidates = ['a', 'b', 'c'].map((name) => candidate(db, name));
    let tokens = 0;
    for (let turn = 0; turn < 6; turn++) {
      // Whoever holds it is stopped; the others go on.
      const awake = candidates.filter((each) => !each.holds());
      await pass(
        db,
        awake.map(({ clock }) => clock),
        60,
        () => awake.some(({ holds }) => holds()),
      );
      let obeyed = 0;
      for (const each of candidates.filter(({ holds }) => holds())) {
        const work = each.terms.at(-1)?.db.transaction((tx) => tx.query('select 1'));
        obeyed += (await work?.then(() => 1).catch(() => 0)) ?? 0;
      }
      expect(obeyed).toBe(1);
      tokens++;
      await pass(
        db,
        candidates.map(({ clock }) => clock),
        15,
      );
    }
    expect(tokens).toBe(6);
    await Promise.all(candidates.map((each) => each.leave()));
  });
});

describe('a lease on the embedded store', () => {
  let db: Db;
  beforeAll(async () => {
    db = await memoryStore();
  });
  afterAll(() => db.close());

  it('passes at once from a process that died, since only one can have the store open', async () => {
    await db.query(
      `insert into ingest_lease (name, token, beat, holder) values ('source', 7, 3, 'dead 1')`,
    );
    const next = candidate(db, 'next 2');
    await until(db, next);
    const same = candidate(db, 'next 2');
    await pass(db, [next.clock, same.clock], 60);
    expect(same.holds()).toBe(false);
    await next.leave();
    await pass(db, [same.clock], 20, same.holds);
    expect(same.holds()).toBe(true);
    await same.leave();
  });
});
