import { emptyMerge } from '../dataset.ts';
import type { MergeContext, MergeResult } from '../dataset.ts';
import { barTopics } from '../bars/topics.ts';
import { loadThreads } from '../source-records/load.ts';
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
  const told = threads.flatMap(({ provider, feed, sightings }) => {
    const newest = sightings.at(-1);
    return newest === undefined ? [] : [{ provider, feed, seenAt: newest.at, ...newest.fields }];
  });
  const moved = await replaceSplits(tx, symbols, told);
  result.topics = new Set(moved.length === 0 ? [] : barTopics(moved));
  return result;
}
