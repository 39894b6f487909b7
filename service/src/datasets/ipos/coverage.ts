import { type CoverageTable, STANDING } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'ipo',
  counted: STANDING,
  dateColumn: 'date',
  // A scan of what stands: some thousands of rows.
  symbols: `select count(distinct symbol) as symbols from ipo where ${STANDING}`,
  fields: [
    ['symbol', 'symbol'],
    ['priceLow', 'price_low'],
    ['price', 'price'],
    ['shares', 'shares'],
    ['lockupExpiration', 'lockup_expiration'],
  ],
};
