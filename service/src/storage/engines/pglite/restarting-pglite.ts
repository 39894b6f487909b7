import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { PgliteDb } from './pglite.ts';

export interface RestartingPglite extends Db {
  /** No thread is started any more: all calls fail with that reason from now on. */
  abandon(reason: string): void;
}

/** Where the disk is full still, each try costs a second of a processor. */
const RETRY_MS = 2_000;

/**
 * The embedded store for as long as the process runs: when its thread is lost, the next call has its
 * files opened in another, which recovers them as after a kill. What was under way fails, and nobody
 * knows whether it was committed; what comes before the files are open waits for that, and while they
 * cannot be opened fails at once.
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
    // Without a wait, so that calls reach the thread in the order in which they are made.
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
    // Two threads on the same files would ruin them.
    await current.abandon('Its thread is replaced.');
    try {
      current = await open();
      lastFailure = null;
      return current;
    } catch (error) {
      lastFailure = { atMs: clock.monotonicMs(), error: notYet(current, error) };
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

function notYet(lost: PgliteDb, error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(`${lost.failureReason()} Not open again yet: ${reason}`);
}

function ignore(): void {}
