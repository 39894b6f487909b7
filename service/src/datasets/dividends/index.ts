import type { Dataset } from '../dataset.ts';
import { exportedVersions } from '../exported-table.ts';
import { loadOwners } from '../securities/owners.ts';
import { subjectsWithRecords, touchedSubjects } from '../source-records/subjects.ts';
import { coverage } from './coverage.ts';
import { explore } from './explore.ts';
import { mergeDividends } from './merge.ts';

export const dataset: Dataset = {
  name: 'dividends',
  describe: 'Dividends: ex-dates, amounts, how often they are paid.',
  after: ['securities', 'profiles'],
  due: 'daily',
  coverage,
  exported: exportedVersions('dividend', { key: 'id', day: 'ex_date' }),
  explore,
  async merge(context, { rows, listing, missing, market }) {
    // A profile tells whether the rules of another market hold.
    const profiled = touchedSubjects(rows, 'profiles', (row) => row.mattersToOrder);
    const owners = await loadOwners(context.tx, profiled);
    const symbols = owners.flatMap(({ symbols: spans }) => spans.map(({ symbol }) => symbol));
    const subjects = [
      // Repeated rows count here: of two that differ the one said last is believed.
      ...touchedSubjects(rows, 'dividends'),
      ...(missing.get('dividends') ?? []),
      ...(await subjectsWithRecords(context.tx, 'dividends', [
        ...symbols,
        ...listing.affectedSubjects,
      ])),
    ];
    return mergeDividends(context, await loadOwners(context.tx, subjects), listing.goneIds, market);
  },
};
