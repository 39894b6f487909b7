import type { Dataset } from '../dataset.ts';
import { loadOwners } from '../securities/owners.ts';
import { subjectsWithRecords, touchedSubjects } from '../source-records/subjects.ts';
import { explore } from './explore.ts';
import { mergeDividends } from './merge.ts';

export const dataset: Dataset = {
  name: 'dividends',
  describe: 'Dividends: ex-dates, amounts, how often they are paid.',
  after: ['securities', 'profiles'],
  due: 'daily',
  explore,
  async merge(context, { rows, listing, market }) {
    // A profile tells whether the rules of another market hold.
    const profiled = touchedSubjects(rows, 'profiles', (row) => row.mattersToOrder);
    const owners = await loadOwners(context.tx, profiled);
    const symbols = owners.flatMap(({ symbols: spans }) => spans.map(({ symbol }) => symbol));
    const subjects = [
      // Repeated rows count here: of two that differ the one said last is believed.
      ...touchedSubjects(rows, 'dividends'),
      ...(await subjectsWithRecords(context.tx, 'dividends', [
        ...symbols,
        ...listing.affectedSubjects,
      ])),
    ];
    return mergeDividends(context, await loadOwners(context.tx, subjects), listing.goneIds, market);
  },
};
