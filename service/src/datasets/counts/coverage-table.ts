/** SQL that counts the coverage of one data set. */
export interface CoverageTable {
  table: string;
  /** SQL condition of the rows that count: the current ones. */
  condition: string;
  /** Date column of the rows. Its index finds the first and the last one. */
  dateColumn: string | null;
  /**
   * SQL statement that returns one row with the number of symbols as `symbols`, with one index
   * lookup per security; null if the rows have no symbols.
   */
  symbols: string | null;
  /** Fields whose filled share is reported: name and column or SQL expression. */
  fields: readonly (readonly [name: string, expression: string])[];
}

/** SQL condition of current versions. */
export const CURRENT_VERSION = 'known_to is null';

/**
 * Counts the securities with a current row, with one lookup for each, which the planner cannot turn
 * into a scan.
 */
export function securitiesIn(table: string): string {
  return `select count(*) as symbols from security s cross join lateral
            (select 1 from ${table} t where t.security_id = s.id and t.known_to is null limit 1) one`;
}
