import type { CompanyEarningsRow } from './company-earnings-row.ts';
import type { EarningsRow } from './earnings-row.ts';
import { exampleCompany } from './example-company.ts';

/** Reports by fictional companies, for the API description. */
export const scheduledExample: EarningsRow = {
  id: 'ern_dd0052738ac4fdfe07ec',
  symbol: exampleCompany.symbol,
  name: exampleCompany.name,
  date: '2026-11-20',
  time: 'time-pre-market',
  dateStatus: 'confirmed',
  projection: null,
  epsEstimate: 1.42,
  eps: null,
  epsGaap: null,
  revenueEstimate: 812000000,
  revenue: null,
  estimateCount: 11,
  epsYearAgo: 1.27,
  fiscalYear: 2026,
  fiscalQuarter: 3,
  fiscalPeriodEnd: '2026-09-30',
  epsBasis: 'adjusted',
  currency: 'USD',
  reportedAt: null,
  marketCap: 18250000000,
  updatedAt: '2026-11-12T21:40:00Z',
};

export const reportedExample: EarningsRow = {
  ...scheduledExample,
  id: 'ern_ba5d7fe5be3fc4bca891',
  date: '2026-08-19',
  dateStatus: 'reported',
  epsEstimate: 1.31,
  eps: 1.36,
  epsGaap: 1.21,
  revenueEstimate: 790000000,
  revenue: 801500000,
  epsYearAgo: 1.18,
  fiscalQuarter: 2,
  fiscalPeriodEnd: '2026-06-30',
  reportedAt: '2026-08-19T11:00:12Z',
  updatedAt: '2026-08-19T11:01:00Z',
};

export const estimatesExample = {
  callAt: '2026-08-19T12:30:00Z',
  estimates: {
    eps: {
      mean: 1.31,
      low: 1.24,
      high: 1.39,
      count: 11,
      mean7DaysAgo: 1.31,
      mean30DaysAgo: 1.29,
      mean60DaysAgo: 1.3,
      mean90DaysAgo: 1.3,
      revisions: { upLast7Days: 1, downLast7Days: 0, upLast30Days: 4, downLast30Days: 1 },
    },
    revenue: { mean: 790000000, low: 776000000, high: 804500000, count: 9 },
  },
  guidance: {
    quarter: { eps: null, epsAdjusted: null, revenue: { low: 805000000, high: 825000000 } },
    year: null,
  },
} satisfies Partial<CompanyEarningsRow>;
