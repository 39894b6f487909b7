import { type CoverageTable, securitiesIn, STANDING } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'profile',
  counted: STANDING,
  dateColumn: null,
  // By index profile_current.
  symbols: securitiesIn('profile'),
  fields: [
    ['sector', `fields->>'sector'`],
    ['industry', `fields->>'industry'`],
    ['country', `fields->>'country'`],
    ['outstandingShares', `fields->>'outstandingShares'`],
    ['fiscalYearEnd', `fields->>'fiscalYearEnd'`],
  ],
};
