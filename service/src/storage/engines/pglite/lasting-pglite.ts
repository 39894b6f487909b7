import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { readFrozen } from '../../frozen.ts';
import type { PgliteDb } from './pglite.ts';

export interface LastingPglite extends Db {
  /** No thread is started any more: all calls fail with that reason from now on. */
  giveUp(reason: string): void;
}

/** Where the disk is full still, each try costs a second of a processor. */
const RETRY_MS = 2_000;

/**
 * The embedded store for as long as the process runs: when its thread is lost, the next call has its
 * files opened in another, which recovers them as after a kill. What was under way fails, and nobody
 * knows whether it was committed; what comes before the files are open waits for that, and while they
 * cannot be opened fails at once.
 */
export function lastingPglite(
  first: PgliteDb,
  { clock, open }: { clock: Clock; open(): Promise<PgliteDb> },
): LastingPglite {
  let current = first;
  let opening: Promise<PgliteDb> | null = null;
  let failed: { atMs: number; error: Error } | null = null;
  let isOver = false;

  function run<T>(call: (db: PgliteDb) => Promise<T>): Promise<T> {
    // Without a wait, so that calls reach the thread in the order in which they are made.
    if (current.goneBecause() === undefined || isOver) return call(current);
    return opened().then(call);
  }

  async function opened(): Promise<PgliteDb> {
    if (opening === null && failed !== null && clock.monotonicMs() - failed.atMs < RETRY_MS) {
      throw failed.error;
    }
    opening ??= reopen().finally(() => (opening = null));
    return opening;
  }

  async function reopen(): Promise<PgliteDb> {
    // Two threads on the same files would ruin them.
    await current.abandon('Its thread is replaced.');
    try {
      current = await open();
      failed = null;
      return current;
    } catch (error) {
      failed = { atMs: clock.monotonicMs(), error: notYet(current, error) };
      throw failed.error;
    }
  }

  function giveUp(reason: string): void {
    isOver = true;
    void current.abandon(reason);
    opening?.then((late) => late.abandon(reason)).catch(ignore);
  }

  return {
    engine: 'pglite',
    query: (sql, params) => run((db) => db.query(sql, params)),
    transaction: (work) => run((db) => db.transaction(work)),
    execute: (script) => run((db) => db.execute(script)),
    frozen: (work) => run((db) => readFrozen(db, work)),
    giveUp,
    async close() {
      isOver = true;
      await opening?.catch(ignore);
      await current.close();
    },
  };
}

function notYet(lost: PgliteDb, error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(`${lost.goneBecause()} Not open again yet: ${reason}`);
}

function ignore(): void {}
