import type { CoverageTable } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'price_bar',
  counted: 'held is null',
  dateColumn: 'date',
  // By the primary key, which begins with the symbol.
  symbols: `select count(distinct y.security_id) as symbols from security_symbol y
             cross join lateral
               (select 1 from price_bar b where b.symbol = y.symbol limit 1) one`,
  fields: [['volume', 'volume']],
};
