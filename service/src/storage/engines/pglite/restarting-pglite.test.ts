import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { snapshotFile } from '../../../../test/support/stores.ts';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { restartingPglite } from './restarting-pglite.ts';
import { claimMarker, readMarker } from '../../marker.ts';
import { openPglite } from './pglite.ts';
import type { PgliteDb } from './worker-protocol.ts';

/**
 * Opens a restarting store on threads that the test can kill. Reopening fails while `trouble.error`
 * is set.
 */
async function stage(openThread: () => Promise<PgliteDb>) {
  let thread = await openThread();
  const failure = { error: null as Error | null, tries: 0 };
  const clock = fakeClock(0);
  const db = restartingPglite(thread, {
    clock,
    async open() {
      failure.tries += 1;
      if (failure.error !== null) throw failure.error;
      thread = await openThread();
      return thread;
    },
  });
  return { db, clock, trouble: failure, breakDown: () => thread.abandon('It broke down.') };
}

/** Returns a fake thread that answers queries. */
async function answering(): Promise<PgliteDb> {
  let failureReason: string | undefined;
  const thread: Partial<PgliteDb> = {
    failureReason: () => failureReason,
    async abandon(reason) {
      failureReason ??= reason;
    },
    async query() {
      if (failureReason !== undefined) throw new StoreUnavailableError(failureReason);
      return [{ value: 1 }] as never;
    },
    close: async () => undefined,
  };
  return thread as PgliteDb;
}

test('reopens an embedded store on the next call after its thread dies, once for all callers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-lasting-'));
  const dataDir = join(folder, 'pg');
  let snapshot: string | undefined = await snapshotFile();
  const {
    db,
    trouble: failure,
    breakDown,
  } = await stage(() => {
    const opened = openPglite({ dataDir, snapshotFile: snapshot });
    snapshot = undefined;
    return opened;
  });
  onTestFinished(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });
  await claimMarker(db, 'kind', 'live');
  const underWay = db.transaction(async (tx) => {
    await tx.query(`update store_marker set value = 'lost'`);
    await breakDown();
    await tx.query('select 1');
  });
  await expect(underWay).rejects.toBeInstanceOf(StoreUnavailableError);
  const reads = await Promise.all([1, 2, 3].map(() => readMarker(db, 'kind')));
  expect(reads).toEqual(['live', 'live', 'live']);
  expect(failure.tries).toBe(1);
});

test("fails calls immediately while the store's files cannot be opened, and retries every two seconds", async () => {
  const { db, clock, trouble: failure, breakDown } = await stage(answering);
  failure.error = new Error('the disk is full');
  await breakDown();
  for (let call = 0; call < 3; call += 1) {
    const read = db.query('select 1');
    await expect(read).rejects.toThrow(/It broke down.*the disk is full/);
    await expect(read).rejects.toBeInstanceOf(StoreUnavailableError);
  }
  expect(failure.tries).toBe(1);
  failure.error = null;
  await clock.advance(2_000);
  await expect(db.query('select 1 as value')).resolves.toEqual([{ value: 1 }]);
  expect(failure.tries).toBe(2);
});

test('does not reopen an embedded store that has been closed or abandoned', async () => {
  const { db, trouble: failure } = await stage(answering);
  db.abandon('Its files are gone.');
  await expect(db.query('select 1')).rejects.toThrow('Its files are gone.');
  await db.close();
  await expect(db.query('select 1')).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(failure.tries).toBe(0);
});
