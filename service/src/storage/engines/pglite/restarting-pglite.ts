import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { PgliteDb } from './worker-protocol.ts';

export interface RestartingPglite extends Db {
  /** Closes the store for good: all later calls fail with `reason` and no new thread is started. */
  abandon(reason: string): void;
}

/** While the disk is still full, each attempt costs a second of processor time. */
const RETRY_MS = 2_000;

/**
 * Returns an embedded store that outlives its thread. When the thread is lost, the next call opens
 * the files in a new thread, which recovers them as after a kill. Calls in flight fail, and it is
 * unknown whether they committed. Calls wait while the files are being opened, and fail immediately
 * while opening keeps failing.
 */
export function restartingPglite(
  initial: PgliteDb,
  { clock, open }: { clock: Clock; open(): Promise<PgliteDb> },
): RestartingPglite {
  let current = initial;
  let opening: Promise<PgliteDb> | null = null;
  let lastFailure: { atMs: number; error: Error } | null = null;
  let isClosed = false;

  function run<T>(call: (db: PgliteDb) => Promise<T>): Promise<T> {
    // This path has no await, so that calls reach the thread in order.
    if (current.failureReason() === undefined || isClosed) return call(current);
    return opened().then(call);
  }

  async function opened(): Promise<PgliteDb> {
    if (
      opening === null &&
      lastFailure !== null &&
      clock.monotonicMs() - lastFailure.atMs < RETRY_MS
    ) {
      throw lastFailure.error;
    }
    opening ??= reopen().finally(() => (opening = null));
    return opening;
  }

  async function reopen(): Promise<PgliteDb> {
    // The old thread must end first, because two threads would corrupt the files.
    await current.abandon('Its thread is replaced.');
    try {
      current = await open();
      lastFailure = null;
      return current;
    } catch (error) {
      lastFailure = { atMs: clock.monotonicMs(), error: stillUnavailable(current, error) };
      throw lastFailure.error;
    }
  }

  function abandon(reason: string): void {
    isClosed = true;
    void current.abandon(reason);
    opening?.then((reopened) => reopened.abandon(reason)).catch(ignore);
  }

  return {
    engine: 'pglite',
    query: (...args) => run((db) => db.query(...args)),
    transaction: (...args) => run((db) => db.transaction(...args)),
    readSnapshot: (...args) => run((db) => db.readSnapshot(...args)),
    execute: (...args) => run((db) => db.execute(...args)),
    abandon,
    async close() {
      isClosed = true;
      await opening?.catch(ignore);
      await current.close();
    },
  };
}

function stillUnavailable(store: PgliteDb, error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(`${store.failureReason()} Reopening failed: ${reason}`);
}

function ignore(): void {}
