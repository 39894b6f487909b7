import type { Figure } from './series-values.ts';

export interface BlsSeries {
  /** Stem of the well-known event. */
  stem: string;
  /** Id of the series at the Bureau of Labor Statistics. */
  id: string;
  figure: Figure;
}

/**
 * The series behind the headline figures of the Bureau of Labor Statistics. Monthly changes come
 * from seasonally adjusted series, yearly changes of prices from unadjusted ones, as in the
 * releases.
 */
export const BLS_SERIES: readonly BlsSeries[] = [
  { stem: 'us-nonfarm-payrolls', id: 'CES0000000001', figure: 'thousands-change' },
  { stem: 'us-private-payrolls', id: 'CES0500000001', figure: 'thousands-change' },
  { stem: 'us-unemployment-rate', id: 'LNS14000000', figure: 'percent' },
  { stem: 'us-participation-rate', id: 'LNS11300000', figure: 'percent' },
  { stem: 'us-hourly-earnings-mom', id: 'CES0500000003', figure: 'change-of-month' },
  { stem: 'us-hourly-earnings-yoy', id: 'CES0500000003', figure: 'change-of-year' },
  { stem: 'us-cpi-mom', id: 'CUSR0000SA0', figure: 'change-of-month' },
  { stem: 'us-cpi-yoy', id: 'CUUR0000SA0', figure: 'change-of-year' },
  { stem: 'us-core-cpi-mom', id: 'CUSR0000SA0L1E', figure: 'change-of-month' },
  { stem: 'us-core-cpi-yoy', id: 'CUUR0000SA0L1E', figure: 'change-of-year' },
  { stem: 'us-ppi-mom', id: 'WPSFD4', figure: 'change-of-month' },
  { stem: 'us-ppi-yoy', id: 'WPUFD4', figure: 'change-of-year' },
  { stem: 'us-core-ppi-mom', id: 'WPSFD49104', figure: 'change-of-month' },
  { stem: 'us-core-ppi-yoy', id: 'WPUFD49104', figure: 'change-of-year' },
  { stem: 'us-jolts-openings', id: 'JTS000000000000000JOL', figure: 'thousands' },
  { stem: 'us-employment-cost-index', id: 'CIS1010000000000Q', figure: 'percent' },
];
