import type { JournalEntry } from './commit-journal.ts';

/**
 * A value in a SQL statement. The store has two drivers, PGlite in a worker thread and PostgreSQL.
 * Both run the same SQL and read column values as follows:
 *
 * | column type             | read as                                        |
 * |-------------------------|------------------------------------------------|
 * | text, uuid              | string                                         |
 * | boolean                 | boolean                                        |
 * | int4, int8, float8      | number (an int8 past 2^53 throws)              |
 * | numeric                 | string, exact                                  |
 * | date                    | string `YYYY-MM-DD`                            |
 * | timestamptz             | number, milliseconds since 1970 UTC            |
 * | jsonb                   | parsed value                                   |
 * | bytea                   | Uint8Array                                     |
 * | text[], timestamptz[]   | array of the above                             |
 *
 * Parameters have the same types, with two exceptions. A timestamptz is passed either as a number,
 * converted by `to_timestamp($1 / 1000.0)` in SQL, or as an ISO string. A jsonb value is passed as
 * JSON text and cast in SQL.
 */
export type SqlValue = SqlScalar | Uint8Array | readonly SqlScalar[];

export type SqlScalar = string | number | boolean | null;

export type Row = Record<string, unknown>;

export interface Queryable {
  /** The store behind a view of it that serves one request. Caches belong to the store. */
  readonly store?: Queryable;
  /** Runs one statement and returns its rows. */
  query<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
}

export interface Transaction extends Queryable {
  readonly __transaction: true;
  /**
   * Inserts rows with COPY, the fastest method. `into` is SQL that specifies the table and its
   * columns. `lines` contains the rows in COPY's text format, as written by `copyLine`. Throws the
   * same errors as `query`.
   */
  copy(into: string, lines: string): Promise<void>;
  /**
   * Describes what this transaction writes, for the journal of acknowledged commits and for the log.
   * Absent if neither is kept.
   */
  note?(entries: readonly JournalEntry[]): void;
}

/** A consistent snapshot of the store. */
export interface SnapshotView extends Queryable {
  /**
   * Returns the rows of a select in COPY's text format. Holds all of them in memory, so select only
   * part of a large table.
   */
  copyOut(select: string): Promise<Uint8Array>;
}

export interface TransactionOptions {
  /**
   * Prepares each statement once per connection instead of planning it on every call. The plans
   * don't depend on parameter values and never scan a whole table. Use this option for frequent
   * transactions whose statement texts are constant and whose rows are found by index.
   */
  keepsPlans?: boolean;
}

export interface Db extends Queryable {
  readonly engine: 'pglite' | 'postgres';
  /**
   * Runs `work` in one transaction, which commits if `work` resolves and rolls back if it throws.
   * Do no other I/O inside `work`, because PGlite has a single connection.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` on a consistent snapshot of the store while other calls keep reading and writing.
   */
  readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T>;
  /** Runs a script with several statements, for migrations. */
  execute(script: string): Promise<void>;
  /** Number of writes so far. Absent if other processes may write to the store too. */
  writeCount?(): number;
  close(): Promise<void>;
}
