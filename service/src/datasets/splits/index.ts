import type { Dataset } from '../dataset.ts';
import { touchedSubjects } from '../source-records/subjects.ts';
import { coverage } from './coverage.ts';
import { exported } from './exported.ts';
import { mergeSplits } from './merge.ts';

export const dataset: Dataset = {
  name: 'splits',
  describe: 'Share splits: the first session on the new basis, and the ratio.',
  after: ['bars'],
  // Lists of prices show the splits of the night.
  shownBy: ['bars'],
  due: 'trading-day',
  coverage,
  exported,
  merge: (context, { rows }) => mergeSplits(context, touchedSubjects(rows, 'splits')),
};
