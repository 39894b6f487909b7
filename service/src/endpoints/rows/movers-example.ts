import { exampleCompany } from './example-company.ts';

/** Fictional companies, for the API description. */
export const moversExample = {
  date: '2026-08-19',
  isTradingDay: true,
  final: true,
  asOf: '2026-08-20T00:41:00Z',
  threshold: 5,
  totalReported: 41,
  unknownSession: 3,
  withoutPrices: 1,
  data: [
    {
      symbol: exampleCompany.symbol,
      name: exampleCompany.name,
      priceChange: 8.7,
      close: 141.31,
      volume: 4500000,
      basePrice: 130,
      baseDate: '2026-08-18',
      reportDate: '2026-08-19',
      time: 'time-pre-market',
      reactionBasis: 'exact',
      gapChange: 5,
      volumeRatio: 3.6,
      epsSurprisePercent: 3.8168,
      revenueSurprisePercent: 1.4557,
      marketCap: 18116000000,
    },
  ],
};
