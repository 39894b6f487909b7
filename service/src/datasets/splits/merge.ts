import { emptyMerge, type MergeContext, type MergeResult } from '../dataset.ts';
import { barTopics } from '../bars/topics.ts';
import { loadThreads } from '../source-records/load.ts';
import { latest, saidSince } from '../source-records/thread.ts';
import type { SplitObservation } from './observation.ts';
import { replaceSplits } from './store.ts';

/** Writes anew what sources say of the splits of these symbols: of each thread its newest word. */
export async function mergeSplits(
  { tx }: MergeContext,
  symbols: readonly string[],
): Promise<MergeResult> {
  const result = emptyMerge();
  if (symbols.length === 0) return result;
  const threads = await loadThreads<SplitObservation>(tx, 'splits', symbols);
  const told = threads.map((thread) => {
    const { provider, feed } = thread;
    const newest = latest(thread);
    const seenAt = saidSince(thread, newest, (said) => `${said.date} ${ratioOf(said)}`);
    return { provider, feed, seenAt, ...newest.fields };
  });
  const moved = await replaceSplits(tx, symbols, told);
  result.topics = new Set(moved.length === 0 ? [] : barTopics(moved));
  return result;
}

function ratioOf({ numerator, denominator }: SplitObservation): string {
  return `${numerator}:${denominator}`;
}
