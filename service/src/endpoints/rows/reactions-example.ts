import { exampleCompany } from './example-company.ts';

/** A fictional company's report, for the API description. */
export const reactionsExample = {
  date: '2026-08-19',
  symbol: exampleCompany.symbol,
  name: exampleCompany.name,
  time: 'time-pre-market' as const,
  fiscalYear: 2026,
  fiscalQuarter: 2,
  eps: {
    actual: 1.36,
    estimate: 1.31,
    surprise: 0.05,
    surprisePercent: 3.8168,
    yoy: 15.2542,
    beat: true,
    outcome: 'beat' as const,
  },
  revenue: {
    actual: 801500000,
    estimate: 790000000,
    surprise: 11500000,
    surprisePercent: 1.4557,
    yoy: 9.2,
    beat: true,
    outcome: 'beat' as const,
  },
  baseDate: '2026-08-18',
  basePrice: 130,
  reactionBasis: 'exact' as const,
  averageVolume: 1250000,
  priceAdjustment: 'split' as const,
  reactions: [
    {
      day: 1,
      date: '2026-08-19',
      open: 136.5,
      high: 142,
      low: 135.9,
      close: 141.31,
      volume: 4500000,
      priceChange: 8.7,
      gapChange: 5,
      cumulativeChange: 8.7,
      volumeRatio: 3.6,
    },
  ],
};
