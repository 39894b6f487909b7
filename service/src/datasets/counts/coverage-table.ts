/** How the coverage of one data set is counted. */
export interface CoverageTable {
  table: string;
  /** Which rows count: those that stand. */
  counted: string;
  /** The day that rows are of; its index serves the first and the last one. */
  dateColumn: string | null;
  /**
   * Answers one row with how many symbols there are as `symbols`, by one look into an index for each
   * security; null where rows are about no symbols.
   */
  symbols: string | null;
  /** Fields of which the filled share is told: name and column or expression. */
  fields: readonly (readonly [name: string, expression: string])[];
}

/** The condition of versions that hold now. */
export const CURRENT_VERSION = 'known_to is null';

/**
 * How many securities have a row that stands: a look-up for each, which the planner cannot turn into a
 * scan.
 */
export function securitiesIn(table: string): string {
  return `select count(*) as symbols from security s cross join lateral
            (select 1 from ${table} t where t.security_id = s.id and t.known_to is null limit 1) one`;
}
