import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapshotFile } from '../../../../test/support/stores.ts';
import type { Clock } from '../../../platform/clock.ts';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../../test/support/logs.ts';
import type { Db, Row } from '../../db.ts';
import { startPgliteMaintenance } from './maintenance.ts';
import { openPglite } from './pglite.ts';
import type { PgliteDb } from './worker-protocol.ts';
import { MAINTENANCE_LIMITS, type MaintenanceLimits } from './maintenance-queries.ts';

const LOOK_MS = 10_000;

let db: PgliteDb;

beforeAll(async () => {
  db = await openPglite({ dataDir: 'memory://', snapshotFile: await snapshotFile() });
  // Vacuums the tables that migrations filled, so that a test sees only its own tables.
  await maintenanceOf(db).check();
});

afterAll(() => db.close());

/**
 * Returns maintenance for a store. `check` advances the clock until no more statements are due, and
 * `done` lists all statements that were run.
 */
function maintenanceOf(store: Pick<Db, 'query' | 'execute'>, limits?: MaintenanceLimits) {
  const clock = fakeClock(0);
  const log = memoryLog();
  const statements: string[] = [];
  let armed: () => void = () => undefined;
  // A check has ended once the next one is scheduled.
  const observedClock: Clock = {
    ...clock,
    setTimer(delayMs, run) {
      armed();
      return clock.setTimer(delayMs, run);
    },
  };
  const noted: Pick<Db, 'query' | 'execute'> = {
    query: <T extends Row>(sql: string, params?: Parameters<Db['query']>[1]) =>
      store.query<T>(sql, params),
    execute(script) {
      statements.push(script);
      return store.execute(script);
    },
  };
  const upkeep = startPgliteMaintenance({ db: noted, clock: observedClock, log, limits });
  return {
    clock,
    log,
    done: statements,
    stop: upkeep.stop,
    async advanceTo(afterMs = LOOK_MS): Promise<void> {
      const checkEnded = new Promise<void>((resolve) => (armed = resolve));
      await clock.advance(afterMs);
      await checkEnded;
    },
    async check(): Promise<void> {
      for (let before = -1; before < statements.length;) {
        before = statements.length;
        await this.advanceTo();
      }
    },
  };
}

/**
 * Returns the number of pages of a queue table and its index after each round of inserts, updates
 * and deletes.
 */
async function pagesOfRounds(afterEach: () => Promise<void>): Promise<number[]> {
  await db.execute('create table job (id int8 primary key, state text, note text)');
  const pages: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const first = round * 1_000;
    await db.query(
      `insert into job select g, 'new', repeat('x', 200)
         from generate_series($1::int8, $1::int8 + 999) as g`,
      [first],
    );
    await db.query(`update job set state = 'claimed'`);
    await db.query(`update job set state = 'done'`);
    await db.query('delete from job where id < $1', [first + 900]);
    await afterEach();
    // Returns one row: the size of the table with its index.
    const [size] = await db.query<{ bytes: number }>(
      `select pg_relation_size('job') + pg_relation_size('job_pkey') as bytes`,
    );
    pages.push((size?.bytes ?? 0) / 8192);
  }
  await db.execute('drop table job');
  return pages;
}

test('keeps a busy queue table from growing, as it would without maintenance', async () => {
  const wild = await pagesOfRounds(() => Promise.resolve());
  const tidy = await pagesOfRounds(() => maintenanceOf(db).check());
  const [, second = 0] = tidy;
  expect(Math.max(...tidy)).toBeLessThanOrEqual(second * 1.1);
  expect(wild.at(-1)).toBeGreaterThan(second * 4);
});

test('freezes every table and advances the template databases, so that no old transaction ID remains', async () => {
  await db.execute('create table kept (n int4, long text)');
  await db.query(`insert into kept select g, repeat('y', 9) from generate_series(1, 10) as g`);
  // Returns one row: the age at which the engine refuses writes, templates included.
  const age = async (): Promise<number> => {
    const [row] = await db.query<{ age: number }>(
      'select max(age(datfrozenxid)) as age from pg_database',
    );
    return row?.age ?? 0;
  };
  for (let n = 0; n < 300; n += 1) await db.query('select pg_current_xact_id()::text');
  expect(await age()).toBeGreaterThan(300);
  const upkeep = maintenanceOf(db, { ...MAINTENANCE_LIMITS, age: 250 });
  await upkeep.check();
  // The remaining transactions are those that VACUUM itself ran.
  expect(await age()).toBeLessThan(250);
  expect(upkeep.done).toContain('vacuum (freeze) public.kept');
  expect(await db.query('select count(*)::int4 as n from kept')).toEqual([{ n: 10 }]);
  await db.execute('drop table kept');
});

test('runs a checkpoint before any other maintenance when the WAL exceeds its limit', async () => {
  const upkeep = maintenanceOf(db, { ...MAINTENANCE_LIMITS, logBytes: 1_000_000 });
  await db.execute('create table big (n int4, note text)');
  await db.query(`insert into big select g, repeat('z', 500) from generate_series(1, 4000) as g`);
  await upkeep.check();
  expect(upkeep.done.slice(0, 2)).toEqual(['checkpoint', 'vacuum (freeze) public.big']);
  // Returns one row: the WAL that recovery would read.
  const [left] = await db.query<{ bytes: string }>(
    'select (pg_current_wal_lsn() - redo_lsn)::text as bytes from pg_control_checkpoint()',
  );
  expect(Number(left?.bytes)).toBeLessThan(1_000_000);
  await db.execute('drop table big');
});

test('vacuums each table once after every opening of the store, starting with the one with the most dead rows', async () => {
  await db.execute(
    `create table "A ""name""" (n int4); create table worn (n int4); create table bare (n int4);
     insert into "A ""name""" select generate_series(1, 9000);
     insert into worn select generate_series(1, 100); delete from worn`,
  );
  const upkeep = maintenanceOf(db);
  await upkeep.check();
  const named = 'vacuum (freeze) public."A ""name"""';
  expect(upkeep.done).toEqual(['vacuum (freeze) public.worn', named]);
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-tidy-'));
  const file = join(folder, 'store.tar');
  await db.execute('checkpoint');
  await db.dump(file);
  const reopened = await openPglite({ dataDir: 'memory://', snapshotFile: file });
  const later = maintenanceOf(reopened);
  await later.check();
  expect(later.done).toContain(named);
  expect(later.done.some((statement) => /worn|bare/.test(statement))).toBe(false);
  await reopened.close();
  await rm(folder, { recursive: true });
  await db.execute('drop table "A ""name""", worn, bare');
});

test('vacuums every table in turn even if some are always busy', async () => {
  await db.execute(
    `create table a (n int4); create table b (n int4); create table rare (n int4);
     insert into a values (1); insert into b values (1); insert into rare values (1)`,
  );
  const upkeep = maintenanceOf(db);
  await upkeep.check();
  await db.execute('insert into rare select generate_series(1, 25000)');
  const before = upkeep.done.length;
  for (let turn = 0; turn < 3; turn += 1) {
    // Exceeds the limit for dead rows each time.
    for (const name of ['a', 'b']) {
      await db.query(`insert into ${name} select generate_series(1, 400)`);
      await db.query(`delete from ${name}`);
    }
    await upkeep.advanceTo();
  }
  const turns = upkeep.done.slice(before).map((statement) => statement.replace(/.*[.]/, ''));
  expect(turns.toSorted()).toEqual(['a', 'b', 'rare']);
  await db.execute('drop table a, b, rare');
});

test('logs a table whose VACUUM fails, skips it for an hour and continues with the others', async () => {
  await db.execute(
    `create table ill (n int4); insert into ill select generate_series(1, 1000);
     create table well (n int4); insert into well values (1)`,
  );
  let isIll = true;
  const upkeep = maintenanceOf({
    query: (sql, params) => db.query(sql, params),
    execute: (script) =>
      isIll && script.endsWith('.ill')
        ? Promise.reject(new Error('a page is broken'))
        : db.execute(script),
  });
  await upkeep.check();
  expect(upkeep.done).toEqual(['ill', 'well'].map((name) => `vacuum (freeze) public.${name}`));
  expect(upkeep.log.entries.filter(({ level }) => level === 'warn')).toHaveLength(1);
  isIll = false;
  await upkeep.check();
  expect(upkeep.done).toHaveLength(2);
  await upkeep.advanceTo(3_600_000);
  await upkeep.check();
  expect(upkeep.done.slice(2)).toEqual(['vacuum (freeze) public.ill']);
  await db.execute('drop table ill, well');
});

/** Returns a store whose calls are pending until the test answers them one by one, in order. */
function manualStore() {
  const calls: { statement: string; respond(rows: Row[]): void; fail(error: Error): void }[] = [];
  const called = (statement: string) =>
    new Promise<Row[]>((respond, fail) => void calls.push({ statement, respond, fail }));
  return {
    calls,
    query: async <T extends Row>(sql: string) => (await called(sql)) as T[],
    execute: async (script: string) => void (await called(script)),
  };
}

test('sends no statements and logs nothing after maintenance is stopped', async () => {
  const clock = fakeClock(0);
  const log = memoryLog();
  const [idle, asking, cleaning] = [manualStore(), manualStore(), manualStore()];
  const upkeeps = [idle, asking, cleaning].map((db) => startPgliteMaintenance({ db, clock, log }));
  upkeeps[0]?.stop();
  await clock.advance(LOOK_MS);
  cleaning.calls[0]?.respond([{ bytes: '0' }]);
  await clock.advance(1);
  cleaning.calls[1]?.respond([{ oid: 16_384, name: 'public.worn' }]);
  await clock.advance(1);
  expect(cleaning.calls[2]?.statement).toBe('vacuum (freeze) public.worn');
  for (const upkeep of upkeeps) upkeep.stop();
  asking.calls[0]?.respond([{ bytes: '999999999' }]);
  cleaning.calls[2]?.fail(new Error('The store is closed.'));
  await clock.advance(24 * 3_600_000);
  expect([idle, asking, cleaning].map(({ calls }) => calls.length)).toEqual([0, 1, 3]);
  expect(log.entries).toEqual([]);
});

test('pauses after a VACUUM for fifty times as long as the VACUUM took', async () => {
  const clock = fakeClock(0);
  const store = manualStore();
  const upkeep = startPgliteMaintenance({ db: store, clock });
  const respond = async (rows: Row[]): Promise<void> => {
    store.calls.at(-1)?.respond(rows);
    await clock.advance(0);
  };
  await clock.advance(LOOK_MS);
  await respond([{ bytes: '0' }]);
  await respond([{ oid: 16_384, name: 'public.worn' }]);
  await clock.advance(2_000);
  await respond([]);
  // Ten checks of the WAL size happen during the pause of 100 seconds.
  for (let count = 1; count < 10; count += 1) {
    await clock.advance(LOOK_MS);
    expect(store.calls).toHaveLength(3 + count);
    await respond([{ bytes: '0' }]);
  }
  await clock.advance(LOOK_MS);
  await respond([{ bytes: '0' }]);
  expect(store.calls).toHaveLength(3 + 10 + 1);
  upkeep.stop();
});

test('retries maintenance with backoff when the store fails, and logs at most once a minute', async () => {
  const clock = fakeClock(0);
  const log = memoryLog();
  let calls = 0;
  const away = (): Promise<never> => {
    calls += 1;
    return Promise.reject(new Error('away'));
  };
  const upkeep = startPgliteMaintenance({ db: { query: away, execute: away }, clock, log });
  await clock.advance(3_600_000);
  // The intervals between retries are 10, 20, 40, 80 s and so on, up to ten minutes.
  expect(calls).toBeLessThan(14);
  expect(log.entries.length).toBeLessThanOrEqual(calls);
  expect(log.entries.length).toBeGreaterThan(0);
  upkeep.stop();
});
