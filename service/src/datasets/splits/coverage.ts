import type { CoverageTable } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'share_split',
  counted: 'true',
  dateColumn: 'date',
  // A scan of some thousands of rows.
  symbols: `select count(distinct symbol) as symbols from share_split`,
  fields: [],
};
