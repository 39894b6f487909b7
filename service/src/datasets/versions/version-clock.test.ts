import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import { settleVersions, takeVersionInstant } from './version-clock.ts';

const NOON = Date.parse('2026-11-20T17:00:00.250Z');

onEachEngine((db) => {
  test("uses the clock's current time as the version instant", async () => {
    expect(await take(db(), NOON)).toBe(NOON);
    expect(await take(db(), NOON + 5)).toBe(NOON + 5);
  });

  test('never returns an instant earlier than a previous commit, even after the clock steps back', async () => {
    await take(db(), NOON);
    expect(await take(db(), NOON - 60_000)).toBe(NOON);
  });

  test('after a read as of an instant, gives the next writer a later instant', async () => {
    await settleVersions(db(), NOON);
    expect(await take(db(), NOON)).toBe(NOON + 1);
    expect(await take(db(), NOON - 60_000)).toBe(NOON + 1);
  });

  test('does not advance the clock for a read as of an older instant', async () => {
    await take(db(), NOON);
    await settleVersions(db(), NOON - 1);
    expect(await take(db(), NOON)).toBe(NOON);
  });

  test('returns the first commit, which later commits and reads do not move', async () => {
    expect(await settleVersions(db(), NOON)).toBeNull();
    await take(db(), NOON);
    expect(await settleVersions(db(), NOON - 60_000)).toBe(NOON + 1);
    await take(db(), NOON + 60_000);
    expect(await settleVersions(db(), NOON + 120_000)).toBe(NOON + 1);
  });

  test('does not advance the clock when a writer fails', async () => {
    const failed = db().transaction(async (tx) => {
      await takeVersionInstant(tx, NOON + 60_000);
      throw new Error('it failed');
    });
    await expect(failed).rejects.toThrow('it failed');
    expect(await take(db(), NOON)).toBe(NOON);
  });

  test('makes a read as of now wait for a running writer and return its versions', async () => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const writer = db().transaction(async (tx) => {
      const at = await takeVersionInstant(tx, NOON);
      begun.resolve();
      await mayEnd.promise;
      await tx.query(
        `insert into commit_log (topics, committed_at)
         values ('{late}', to_timestamp($1 / 1000.0))`,
        [at],
      );
    });
    await begun.promise;
    const events: string[] = [];
    const read = settleVersions(db(), NOON + 1).then(() => {
      events.push('settled');
      return db().query('select topics from commit_log');
    });
    // If the read did not wait, it would finish before these queries, which start later.
    if (db().engine === 'postgres') for (let i = 0; i < 20; i++) await db().query('select 1');
    events.push('may end');
    mayEnd.resolve();
    await writer;
    expect(await read).toEqual([{ topics: ['late'] }]);
    expect(events).toEqual(['may end', 'settled']);
  });
});

function take(db: Db, now: number): Promise<number> {
  return db.transaction((tx) => takeVersionInstant(tx, now));
}
