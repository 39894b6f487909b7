import type { CoverageTable } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'security',
  counted: 'true',
  dateColumn: null,
  // A scan of one row a symbol, current or former.
  symbols: `select count(distinct symbol) as symbols from security_symbol`,
  fields: [
    ['cik', 'cik'],
    ['exchange', 'exchange'],
  ],
};
