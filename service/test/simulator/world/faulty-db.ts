import type {
  Db,
  Queryable,
  Row,
  SnapshotView,
  SqlValue,
  Transaction,
} from '../../../src/storage/db.ts';
import { SqlError, StoreUnavailableError } from '../../../src/storage/errors.ts';
import { statementMissing } from './server-session.ts';

/**
 * Faults to inject. A statement is rejected, is unknown to the connection that a pooler chose, finds
 * the store unavailable, or is preceded by the death of the process. A commit is lost, succeeds but reports an error, or is followed by the
 * death of the process.
 */
export type StoreFault =
  | 'statement-refused'
  | 'statement-unprepared'
  | 'store-away'
  | 'killed'
  | 'commit-lost'
  | 'commit-unknown'
  | 'killed-at-commit';

export const STORE_FAULTS: readonly StoreFault[] = [
  ...(['statement-refused', 'store-away', 'killed'] as const),
  ...(['commit-lost', 'commit-unknown', 'killed-at-commit'] as const),
];

interface Life {
  isAlive(): boolean;
  whenThawed(): Promise<void>;
  kill(): void;
  /** Returns the time by the database clock. */
  now(): number;
}

/** Plans a process's next fault and records the faults that occurred. */
export class StoreFaults {
  readonly occurred: StoreFault[] = [];
  #next: { fault: StoreFault; remaining: number } | null = null;

  /** Plans the fault to occur after this many of the process's statements. */
  plan(fault: StoreFault, afterStatements: number): void {
    this.#next = { fault, remaining: afterStatements };
  }

  /** Cancels the planned fault. */
  clear(): void {
    this.#next = null;
  }

  takeAtStatement(): StoreFault | null {
    if (this.#next !== null && this.#next.remaining > 0) this.#next.remaining -= 1;
    return this.#take((fault) => !isCommitFault(fault));
  }

  takeAtCommit(): StoreFault | null {
    return this.#take(isCommitFault);
  }

  #take(matches: (fault: StoreFault) => boolean): StoreFault | null {
    if (this.#next === null || this.#next.remaining > 0 || !matches(this.#next.fault)) return null;
    const { fault } = this.#next;
    this.#next = null;
    this.occurred.push(fault);
    return fault;
  }
}

/** The store as seen by one process. Calls from a dead process never return. */
export class FaultyDb implements Db {
  // Makes the code treat the embedded store as one that several processes share.
  readonly engine = 'postgres';
  readonly faults = new StoreFaults();
  readonly #base: Db;
  readonly #life: Life;

  constructor(base: Db, life: Life) {
    this.#base = base;
    this.#life = life;
  }

  query<T extends Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]> {
    return this.#whileAlive(() => this.#guardedQuery(this.#base)<T>(sql, params));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#whileAlive(() => this.#transaction(work));
  }

  readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T> {
    return this.#whileAlive(() => this.#base.readSnapshot(work));
  }

  execute(script: string): Promise<void> {
    return this.#whileAlive(() => this.#base.execute(script));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #guardedQuery(target: Queryable): Queryable['query'] {
    return async <T extends Row>(sql: string, params?: readonly SqlValue[]) => {
      this.#beforeStatement();
      if (sql.includes('select clock_timestamp() as now')) {
        return [{ now: this.#life.now() }] as never;
      }
      const rows = await target.query<T>(sql, params);
      if (!this.#life.isAlive()) throw new ProcessDied();
      return rows;
    };
  }

  #beforeStatement(): void {
    if (!this.#life.isAlive()) throw new ProcessDied();
    const fault = this.faults.takeAtStatement();
    if (fault === 'killed') {
      this.#life.kill();
      throw new ProcessDied();
    }
    if (fault === 'store-away') {
      throw new StoreUnavailableError('the simulated store is unavailable');
    }
    if (fault === 'statement-unprepared') throw statementMissing('prepared_0');
    if (fault === 'statement-refused') {
      throw new SqlError({ message: 'canceling statement: simulated', sqlState: '57014' });
    }
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let fault: StoreFault | null = null;
    const result = await this.#base.transaction(async (tx) => {
      const workResult = await work({
        __transaction: true,
        query: this.#guardedQuery(tx),
        copy: async (into, lines) => {
          this.#beforeStatement();
          await tx.copy(into, lines);
        },
      });
      if (!this.#life.isAlive()) throw new ProcessDied();
      fault = this.faults.takeAtCommit();
      if (fault === 'commit-lost') throw new StoreUnavailableError('the commit was lost');
      return workResult;
    });
    this.#afterCommit(fault);
    return result;
  }

  #afterCommit(fault: StoreFault | null): void {
    if (fault === 'killed-at-commit') {
      this.#life.kill();
      throw new ProcessDied();
    }
    if (fault === 'commit-unknown') {
      throw new StoreUnavailableError('the result of the commit is unknown');
    }
  }

  /** Runs the call if the process is alive. Otherwise, never resolves. */
  async #whileAlive<T>(call: () => Promise<T>): Promise<T> {
    await this.#life.whenThawed();
    if (!this.#life.isAlive()) return never();
    try {
      const result = await call();
      return this.#life.isAlive() ? result : await never<T>();
    } catch (error) {
      if (error instanceof ProcessDied || !this.#life.isAlive()) return never();
      throw error;
    }
  }
}

/** Thrown inside a call when the process has died. */
class ProcessDied extends Error {}

function isCommitFault(fault: StoreFault): boolean {
  return ['commit-lost', 'commit-unknown', 'killed-at-commit'].includes(fault);
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
