import type { Db, Queryable, Row, Transaction } from '../../../src/storage/db.ts';
import { SqlError, StoreUnavailableError } from '../../../src/storage/errors.ts';

/**
 * Fault of one statement: it is rejected, the store is unavailable, or the process dies before it.
 * Fault of the next commit: it is lost, it succeeds but reports an error, or the process dies after
 * it.
 */
export type StoreFault =
  | 'statement-refused'
  | 'store-away'
  | 'killed'
  | 'commit-lost'
  | 'commit-unknown'
  | 'killed-at-commit';

export const STORE_FAULTS: readonly StoreFault[] = [
  ...(['statement-refused', 'store-away', 'killed'] as const),
  ...(['commit-lost', 'commit-unknown', 'killed-at-commit'] as const),
];

export interface StoreFaults {
  /** Plans the fault after this many statements of the process. */
  plan(fault: StoreFault, afterStatements: number): void;
  /** Cancels the planned fault. */
  clear(): void;
  /** Faults that occurred. */
  readonly happened: StoreFault[];
}

interface Life {
  isAlive(): boolean;
  whenThawed(): Promise<void>;
  kill(): void;
  /** Time of the database clock. */
  now(): number;
}

/** The store as seen by one process. Calls of a dead process never return. */
export function faultyDb(base: Db, life: Life): { db: Db; faults: StoreFaults } {
  let planned: { fault: StoreFault; left: number } | null = null;
  const happened: StoreFault[] = [];

  function comes(fits: (fault: StoreFault) => boolean): StoreFault | null {
    if (planned === null || planned.left > 0 || !fits(planned.fault)) return null;
    const { fault } = planned;
    planned = null;
    happened.push(fault);
    return fault;
  }

  function beforeStatement(): void {
    if (!life.isAlive()) throw new Died();
    if (planned !== null && planned.left > 0) planned.left -= 1;
    const fault = comes((each) => !isOfCommit(each));
    if (fault === 'killed') {
      life.kill();
      throw new Died();
    }
    if (fault === 'store-away') throw new StoreUnavailableError('the simulated store is away');
    if (fault === 'statement-refused') throw refused();
  }

  function guarded(target: Queryable): Queryable['query'] {
    return async <T extends Row>(sql: string, params?: Parameters<Queryable['query']>[1]) => {
      beforeStatement();
      if (sql.includes('select clock_timestamp() as now')) return [{ now: life.now() }] as never;
      const rows = await target.query<T>(sql, params);
      if (!life.isAlive()) throw new Died();
      return rows;
    };
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let hasDiedAfter = false;
    let isUnknown = false;
    const result = await base.transaction(async (tx) => {
      const done = await work({
        __transaction: true,
        query: guarded(tx),
        async copy(into, lines) {
          beforeStatement();
          await tx.copy(into, lines);
        },
      });
      if (!life.isAlive()) throw new Died();
      const fault = comes(isOfCommit);
      if (fault === 'commit-lost') throw new StoreUnavailableError('the commit was lost');
      isUnknown = fault === 'commit-unknown';
      hasDiedAfter = fault === 'killed-at-commit';
      return done;
    });
    if (hasDiedAfter) {
      life.kill();
      throw new Died();
    }
    if (isUnknown) throw new StoreUnavailableError('nobody knows whether it was committed');
    return result;
  }

  /** Runs the call while the process is alive. A dead process waits forever. */
  async function living<T>(call: () => Promise<T>): Promise<T> {
    await life.whenThawed();
    if (!life.isAlive()) return never();
    try {
      const result = await call();
      return life.isAlive() ? result : await never<T>();
    } catch (error) {
      if (error instanceof Died || !life.isAlive()) return never();
      throw error;
    }
  }

  return {
    db: {
      // Behaves like a store shared by several processes.
      engine: 'postgres',
      query: (sql, params) => living(() => guarded(base)(sql, params)),
      transaction: (work) => living(() => transaction(work)),
      readSnapshot: (...args) => living(() => base.readSnapshot(...args)),
      execute: (script) => living(() => base.execute(script)),
      close: () => Promise.resolve(),
    },
    faults: {
      plan: (fault, afterStatements) => void (planned = { fault, left: afterStatements }),
      clear: () => void (planned = null),
      happened,
    },
  };
}

/** The process died during a call. */
class Died extends Error {}

function isOfCommit(fault: StoreFault): boolean {
  return ['commit-lost', 'commit-unknown', 'killed-at-commit'].includes(fault);
}

function refused(): SqlError {
  return new SqlError({ message: 'canceling statement: simulated', sqlState: '57014' });
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
