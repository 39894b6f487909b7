import { emptyMerge } from '../dataset.ts';
import type { Dataset } from '../dataset.ts';

/**
 * Who is who. It merges before all others, in a step of its own (`merge.ts`), since every other
 * data set asks it which security a symbol means.
 */
export const dataset: Dataset = {
  name: 'securities',
  describe: 'Listed securities: symbols with validity dates, filers, share classes.',
  after: [],
  due: 'weekly',
  merge: () => Promise.resolve(emptyMerge()),
};
