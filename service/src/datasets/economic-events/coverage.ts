import { type CoverageTable, STANDING } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'economic_event',
  counted: STANDING,
  dateColumn: 'date',
  symbols: null,
  fields: [
    ['scheduledAt', 'scheduled_at'],
    ['actual', 'actual'],
    ['consensus', 'consensus'],
    ['previous', 'previous'],
  ],
};
