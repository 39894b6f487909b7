import { type CoverageTable, securitiesIn, STANDING } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'dividend',
  counted: STANDING,
  dateColumn: 'ex_date',
  // By index dividend_by_security.
  symbols: securitiesIn('dividend'),
  fields: [
    ['amount', 'amount'],
    ['recordDate', 'record_date'],
    ['paymentDate', 'payment_date'],
    ['declarationDate', 'declaration_date'],
    ['frequency', 'frequency'],
  ],
};
