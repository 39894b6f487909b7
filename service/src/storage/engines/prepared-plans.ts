/** Maximum number of prepared statements. Statements beyond it are planned on every call. */
const NAMES_MAX = 200;
const REPLAN_EVERY = 256;

// A generic plan doesn't depend on the number of rows in an array or on a table's growth. Because
// every statement has an index, nested loops are suitable for any number of rows. Older servers
// consider statements without an index very expensive and would JIT-compile them each time.
const SETTINGS = [
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
];

/** Statements that make the planner choose such plans for the rest of a transaction. */
export const PLAN_SETTINGS: readonly string[] = SETTINGS.map((setting) => `set local ${setting}`);
const BEGIN = ['begin', ...PLAN_SETTINGS].join('; ');

/** Assigns names to the statements that are prepared once per connection. */
export class PreparedPlans {
  readonly #names = new Map<string, string>();
  readonly #transactionCounts = new WeakMap<object, number>();

  /**
   * Returns the name of a prepared statement, or undefined if the maximum number has been reached.
   */
  nameOf(sql: string): string | undefined {
    const existing = this.#names.get(sql);
    if (existing !== undefined || this.#names.size >= NAMES_MAX) return existing;
    const name = `prepared_${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }

  /**
   * Returns the script that begins a transaction with prepared plans. The best index for a table is
   * unknown while the table is empty, so plans are discarded after 1, 2, 4, … of these
   * transactions, and later after every 256.
   */
  begin(connection: object): string {
    const count = this.#transactionCounts.get(connection) ?? 0;
    this.#transactionCounts.set(connection, count + 1);
    const isDue = (count & (count - 1)) === 0 || count % REPLAN_EVERY === 0;
    // Begins first: pgpool-II takes DISCARD as the first command for the end of all statements.
    return isDue ? `${BEGIN}; discard plans` : BEGIN;
  }
}
