import { exampleCompany } from './example-company.ts';

/** Fictional companies, for the API description. */
export const unusualExample = {
  date: '2026-08-19',
  asOf: '2026-08-20T00:41:00Z',
  session: 'final',
  criteria: {
    lookbackSessions: 20,
    minRelativeVolume: 2,
    minPrice: 1,
    minAverageVolume: 100000,
    minDollarVolume: 1000000,
    maxRows: 100,
  },
  up: [
    {
      symbol: exampleCompany.symbol,
      name: exampleCompany.name,
      type: 'equity',
      price: 141.31,
      changePercent: 8.7,
      volume: 4500000,
      averageVolume: 1250000,
      relativeVolume: 3.6,
      volumeChangePercent: 260,
      dollarVolume: 635895000,
      earnings: { date: '2026-08-19', time: 'time-pre-market' },
    },
  ],
  down: [],
};
