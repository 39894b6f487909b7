import { type CoverageTable, securitiesIn, STANDING } from '../counts/coverage-table.ts';

/** How its coverage is counted. */
export const coverage: CoverageTable = {
  table: 'earnings_event',
  counted: STANDING,
  dateColumn: 'date',
  // By index earnings_event_by_security.
  symbols: securitiesIn('earnings_event'),
  fields: [
    ['time', `nullif("time", 'time-not-supplied')`],
    ['epsEstimate', 'eps_estimate'],
    ['eps', 'eps'],
    ['revenueEstimate', 'revenue_estimate'],
    ['revenue', 'revenue'],
    ['estimateCount', 'estimate_count'],
    ['epsYearAgo', 'eps_year_ago'],
    ['fiscalQuarter', 'fiscal_quarter'],
    ['reportedAt', 'reported_at'],
  ],
};
