import { type Dataset, emptyMerge } from '../dataset.ts';
import { coverage } from './coverage.ts';
import { exported } from './exported.ts';

/**
 * Bars come by thousands a night, so they are not kept as sightings: `record.ts` keeps the newest
 * word of every feed, and which of them stands is decided at read.
 */
export const dataset: Dataset = {
  name: 'bars',
  describe: 'Daily bars: open, high, low, close and volume of each session.',
  after: ['securities'],
  due: 'trading-day',
  coverage,
  exported,
  merge: () => Promise.resolve(emptyMerge()),
};
