import type { Dataset } from '../dataset.ts';
import { exportedVersions } from '../exported-table.ts';
import { touchedSubjects } from '../source-records/subjects.ts';
import { coverage } from './coverage.ts';
import { explore } from './explore.ts';
import { mergeEconomicEvents } from './merge.ts';

export const dataset: Dataset = {
  name: 'economic-events',
  describe: 'Economic releases and events: schedule, consensus, figures.',
  after: ['securities'],
  due: 'daily',
  aboutSecurities: false,
  coverage,
  exported: exportedVersions('economic_event', { key: 'id', day: 'date' }),
  explore,
  // Repeated rows count here: each sighting can settle days and clocks of its capture.
  merge: (context, { rows }) =>
    mergeEconomicEvents(context, touchedSubjects(rows, 'economic-events')),
};
