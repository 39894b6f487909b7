import { type Dataset, emptyMergeResult } from '../dataset.ts';

/**
 * Securities and their symbols. They merge in a separate step before all other data sets
 * (`merge.ts`), because every other data set resolves its symbols to securities.
 */
export const dataset: Dataset = {
  name: 'securities',
  describe: 'Listed securities: symbols with validity dates, filers, share classes.',
  after: [],
  due: 'weekly',
  coverage: {
    table: 'security',
    condition: 'true',
    dateColumn: null,
    // Scans one row per current or former symbol.
    symbols: `select count(distinct symbol) as symbols from security_symbol`,
    fields: [
      ['cik', 'cik'],
      ['exchange', 'exchange'],
    ],
  },
  merge: () => Promise.resolve(emptyMergeResult()),
};
