/**
 * The store's port. Two drivers stand behind it, PGlite in a worker thread and PostgreSQL; both
 * run the same SQL and read values the same way:
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
 * Parameters: the same types go in. A timestamptz is passed as a number and written
 * `to_timestamp($1 / 1000.0)` in SQL, or as an ISO string; jsonb as JSON text cast in SQL.
 */
export type SqlValue = SqlScalar | Uint8Array | readonly SqlScalar[];

export type SqlScalar = string | number | boolean | null;

export type Row = Record<string, unknown>;

export interface Queryable {
  /** Runs one statement and returns its rows. */
  query<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
}

export interface Transaction extends Queryable {
  readonly __transaction: true;
  /**
   * Adds rows by COPY, the fastest way in: `into` is SQL naming the table and its columns, `lines`
   * the rows in COPY's text format, as `copyLine` writes them. Throws as `query` does.
   */
  copy(into: string, lines: string): Promise<void>;
}

/** The store as it stands at one moment, read at leisure while others go on writing. */
export interface SnapshotView extends Queryable {
  /** The rows of a select in COPY's text format. All of them are in memory: ask for a part. */
  copyOut(select: string): Promise<Uint8Array>;
}

export interface TransactionOptions {
  /**
   * For what runs many times a second, with statements of fixed texts that find their rows by
   * indexes: a statement is then planned once a connection instead of each time, without looking at
   * its parameters, and never to read a whole table.
   */
  keepsPlans?: boolean;
}

export interface Db extends Queryable {
  readonly engine: 'pglite' | 'postgres';
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. No I/O
   * other than this store's may be awaited inside: PGlite has a single connection.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `work` on a consistent snapshot of the store, while others go on reading and writing. */
  readSnapshot<T>(work: (view: SnapshotView) => Promise<T>): Promise<T>;
  /** Runs a script of several statements, for migrations. */
  execute(script: string): Promise<void>;
  close(): Promise<void>;
}
