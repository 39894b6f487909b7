import { type Dataset, emptyMergeResult } from '../dataset.ts';

/**
 * Thousands of bars arrive every night, so they are not stored as observation histories:
 * `record.ts` keeps the latest values from each feed, and each read picks a feed by precedence.
 */
export const dataset: Dataset = {
  name: 'bars',
  describe: 'Daily bars: open, high, low, close and volume of each session.',
  after: ['securities'],
  due: 'trading-day',
  coverage: {
    table: 'price_bar',
    condition: 'held is null',
    dateColumn: 'date',
    // Uses the primary key, which begins with the symbol.
    symbols: `select count(distinct y.security_id) as symbols from security_symbol y
               cross join lateral
                 (select 1 from price_bar b where b.symbol = y.symbol limit 1) one`,
    fields: [['volume', 'volume']],
  },
  merge: () => Promise.resolve(emptyMergeResult()),
};
