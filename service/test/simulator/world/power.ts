import type { Db, Row, SqlValue, Transaction } from '../../../src/storage/db.ts';
import type { InlineStore } from './inline-store.ts';

/** Time after which the operating system writes data to the disk without a sync. */
const WRITTEN_BACK_MS = 30_000;

/**
 * The embedded store on a machine that may lose power: all processes end, and every commit that was
 * not synced disappears. Statements in progress are rolled back.
 */
export class PoweredStore implements Db {
  readonly engine = 'pglite';
  /** Ends all processes. */
  onCut: () => void = () => undefined;
  readonly #base: InlineStore;
  readonly #now: () => number;
  #statementsToCut = Infinity;
  #unsyncedSince: number | null = null;

  constructor(base: InlineStore, { now }: { now(): number }) {
    this.#base = base;
    this.#now = now;
  }

  /** Cuts the power after this many statements and commits of any process. */
  cutAfter(statements: number): void {
    this.#statementsToCut = statements;
  }

  cut(): void {
    this.#statementsToCut = Infinity;
    this.onCut();
    const isWrittenBack = this.#isWrittenBack();
    this.#unsyncedSince = null;
    // Waits for the call in progress, which a dead process rolls back.
    void (isWrittenBack ? this.#base.sync() : this.#base.losePower());
  }

  async query<T extends Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]> {
    this.#step();
    await this.#writeBack();
    const rows = await this.#base.query<T>(sql, params);
    this.#step();
    return rows;
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.#writeBack();
    const result = await this.#base.transaction((tx) =>
      work({
        __transaction: true,
        query: (sql, params) => {
          this.#step();
          return tx.query(sql, params);
        },
        copy: (into, lines) => {
          this.#step();
          return tx.copy(into, lines);
        },
      }),
    );
    this.#step();
    return result;
  }

  readSnapshot: Db['readSnapshot'] = (work) => this.#base.readSnapshot(work);
  execute: Db['execute'] = (script) => this.#base.execute(script);
  close: Db['close'] = () => Promise.resolve();

  #step(): void {
    if (this.#statementsToCut <= 0) this.cut();
    this.#statementsToCut -= 1;
  }

  #isWrittenBack(): boolean {
    const since = this.#unsyncedSince;
    return since !== null && this.#now() - since >= WRITTEN_BACK_MS;
  }

  /** Syncs earlier commits if the operating system has written them by now. */
  async #writeBack(): Promise<void> {
    const isWrittenBack = this.#isWrittenBack();
    if (isWrittenBack) this.#unsyncedSince = null;
    this.#unsyncedSince ??= this.#now();
    if (isWrittenBack) await this.#base.sync();
  }
}
