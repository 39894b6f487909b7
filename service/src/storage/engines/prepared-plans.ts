/** So many texts are kept at most; whoever builds ever new ones has the rest planned each time. */
const NAMES_MAX = 200;
const REPLAN_EVERY = 256;

// A plan made once does not see how many rows an array brings, nor how a table grows. Where every
// statement finds its rows by an index, one after the other is right for any number of them. What has
// to do without an index all the same looks very dear to older servers, and would be compiled each time.
const SETTINGS = [
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
];
const BEGIN = ['begin', ...SETTINGS.map((setting) => `set local ${setting}`)].join('; ');

/** The statements of a store that are planned once a connection and kept under a name there. */
export class PreparedPlans {
  readonly #names = new Map<string, string>();
  readonly #begun = new WeakMap<object, number>();

  /** The name of a text; undefined when there are too many. */
  nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= NAMES_MAX) return known;
    const name = `kept_${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }

  /**
   * The script that begins a transaction with kept plans. Which index serves best is not seen while
   * a table is empty: plans are made anew after 1, 2, 4, … of them, and then after every 256.
   */
  begin(connection: object): string {
    const count = this.#begun.get(connection) ?? 0;
    this.#begun.set(connection, count + 1);
    const isDue = (count & (count - 1)) === 0 || count % REPLAN_EVERY === 0;
    return isDue ? `discard plans; ${BEGIN}` : BEGIN;
  }
}
