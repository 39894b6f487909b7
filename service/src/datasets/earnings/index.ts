import type { Dataset } from '../dataset.ts';
import { exportedVersions } from '../exported-table.ts';
import { loadOwners, withFilers } from '../securities/owners.ts';
import { filerOf, subjectsWithRecords, touchedSubjects } from '../source-records/subjects.ts';
import { coverage } from './coverage.ts';
import { explore } from './explore.ts';
import { mergeEarnings } from './merge.ts';

export const dataset: Dataset = {
  name: 'earnings',
  describe: 'Earnings reports: schedule, consensus, results.',
  after: ['securities', 'profiles', 'splits'],
  due: 'daily',
  coverage,
  exported: exportedVersions('earnings_event', { key: 'id', day: 'date' }),
  explore,
  async merge(context, { rows, listing, missing, market }) {
    // A filer's profile tells when its fiscal year ends.
    const filersProfiled = touchedSubjects(rows, 'profiles', (row) => row.mattersToOrder).filter(
      (subject) => filerOf(subject) !== null,
    );
    // EPS are on today's share basis.
    const splitAnew = touchedSubjects(rows, 'splits', (row) => row.mattersToOrder);
    const subjects = [
      // Repeated rows count here: when the consensus was last seen before a release matters.
      ...touchedSubjects(rows, 'earnings'),
      ...(missing.get('earnings') ?? []),
      // Whoever spoke of its symbols: of the filer itself nothing may be recorded here.
      ...filersProfiled,
      ...(await subjectsWithRecords(context.tx, 'earnings', [
        ...listing.affectedSubjects,
        ...(await withFilers(context.tx, splitAnew)),
      ])),
    ];
    return mergeEarnings(context, {
      securities: await loadOwners(context.tx, subjects),
      ciks: [...new Set(subjects.flatMap((subject) => filerOf(subject) ?? []))],
      goneIds: listing.goneIds,
      market,
    });
  },
};
