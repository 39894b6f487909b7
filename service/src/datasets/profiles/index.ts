import type { Dataset } from '../dataset.ts';
import { exportedVersions } from '../exported-table.ts';
import { loadOwnersWithClasses } from '../securities/owners.ts';
import { touchedSubjects } from '../source-records/subjects.ts';
import { coverage } from './coverage.ts';
import { explore } from './explore.ts';
import { mergeProfiles } from './merge.ts';

export const dataset: Dataset = {
  name: 'profiles',
  describe: 'Company profiles: sector, industry, country, type, shares.',
  after: ['securities'],
  due: 'trading-day',
  coverage,
  exported: exportedVersions('profile', { key: 'security_id', day: null }),
  explore,
  async merge(context, { rows, listing }) {
    // A row that repeats what was said last changes nothing.
    const subjects = touchedSubjects(rows, 'profiles', (row) => row.mattersToOrder);
    const owners = await loadOwnersWithClasses(context.tx, [
      ...subjects,
      ...listing.affectedSubjects,
    ]);
    return mergeProfiles(context, owners, listing.goneIds);
  },
};
