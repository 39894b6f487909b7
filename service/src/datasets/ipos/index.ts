import type { Dataset } from '../dataset.ts';
import { exportedVersions } from '../exported-table.ts';
import { touchedSubjects } from '../source-records/subjects.ts';
import { coverage } from './coverage.ts';
import { explore } from './explore.ts';
import { mergeIpos } from './merge.ts';

export const dataset: Dataset = {
  name: 'ipos',
  describe: 'Initial public offerings, from filing to pricing or withdrawal.',
  // A proposed ticker is not a listed security yet, and may never be.
  aboutSecurities: false,
  after: [],
  due: 'daily',
  coverage,
  exported: exportedVersions('ipo', { key: 'id', day: 'date' }),
  explore,
  merge(context, { rows }) {
    // Repeated rows count: of a deal that is expected and was put off, what was said last holds.
    return mergeIpos(context, touchedSubjects(rows, 'ipos'));
  },
};
