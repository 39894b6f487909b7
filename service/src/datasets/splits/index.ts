import { barTopics } from '../bars/topics.ts';
import { type Dataset, emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadHistories } from '../source-records/load.ts';
import { touchedKeys } from '../source-records/entity-keys.ts';
import { latest, unchangedSince } from '../source-records/observation-history.ts';
import type { SplitObservation } from './observation.ts';
import { replaceSplits } from './store.ts';

export const dataset: Dataset = {
  name: 'splits',
  describe: 'Share splits: the first session on the new basis, and the ratio.',
  after: ['bars'],
  // Price lists reveal splits that took effect overnight.
  shownBy: ['bars'],
  due: 'trading-day',
  coverage: {
    table: 'share_split',
    condition: 'true',
    dateColumn: 'date',
    // Scans a few thousand rows.
    symbols: `select count(distinct symbol) as symbols from share_split`,
    fields: [],
  },
  merge: (context, { rows }) => mergeSplits(context, touchedKeys(rows, 'splits')),
};

/** Replaces the stored splits of these symbols with the latest observation of each history. */
async function mergeSplits({ tx }: MergeContext, symbols: readonly string[]): Promise<MergeResult> {
  const result = emptyMergeResult();
  if (symbols.length === 0) return result;
  const histories = await loadHistories<SplitObservation>(tx, 'splits', symbols);
  const splits = histories.map((history) => {
    const { provider, feed } = history;
    const newest = latest(history);
    const seenAt = unchangedSince(history, newest, (fields) => `${fields.date} ${ratioOf(fields)}`);
    return { provider, feed, seenAt, ...newest.fields };
  });
  const changedSymbols = await replaceSplits(tx, symbols, splits);
  result.topics = new Set(changedSymbols.length === 0 ? [] : barTopics(changedSymbols));
  return result;
}

function ratioOf({ numerator, denominator }: SplitObservation): string {
  return `${numerator}:${denominator}`;
}
