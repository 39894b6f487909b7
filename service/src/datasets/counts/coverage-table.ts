/** SQL fragments for counting the coverage of one data set. */
export interface CoverageTable {
  table: string;
  /** SQL condition that selects the current rows, which are the only ones counted. */
  condition: string;
  /** Date column of the rows. Its index provides the first and last dates. */
  dateColumn: string | null;
  /**
   * SQL statement that returns one row with the number of symbols as `symbols`, using one index
   * lookup per security; null if the rows have no symbols.
   */
  symbols: string | null;
  /** Fields whose fill rate is reported, each with a name and a column or SQL expression. */
  fields: readonly (readonly [name: string, expression: string])[];
}

/** SQL condition for current versions. */
export const CURRENT_VERSION = 'known_to is null';

/**
 * Returns SQL that counts the securities with a current row. Each security takes one index lookup,
 * which the planner cannot turn into a scan.
 */
export function securitiesIn(table: string): string {
  return `select count(*) as symbols from security s cross join lateral
            (select 1 from ${table} t where t.security_id = s.id and t.known_to is null limit 1) one`;
}
