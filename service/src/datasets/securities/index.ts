import { type Dataset, emptyMerge } from '../dataset.ts';
import { exportedVersions } from '../exported-table.ts';
import { coverage } from './coverage.ts';

/**
 * Who is who. It merges before all others, in a step of its own (`merge.ts`), since every other
 * data set asks it which security a symbol means.
 */
export const dataset: Dataset = {
  name: 'securities',
  describe: 'Listed securities: symbols with validity dates, filers, share classes.',
  after: [],
  due: 'weekly',
  coverage,
  exported: exportedVersions('security_version', { key: 'id', day: null }),
  merge: () => Promise.resolve(emptyMerge()),
};
