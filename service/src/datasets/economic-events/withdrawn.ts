import type { Instant } from '../../platform/instant.ts';
import { latest, type Thread } from '../source-records/thread.ts';
import type { EconomicObservation } from './observation.ts';

type Said = Thread<EconomicObservation>;

/** A list that shrank below this part of itself was cut off: what it lacks still stands. */
const WHOLE_FROM = 0.8;

/**
 * The threads that still stand. A row that a later capture of its list lacks was withdrawn or moved,
 * unless that capture is so much shorter that it is more likely broken. A row that has a key of its
 * own and came again under another month has moved there, however much its list shrank.
 */
export function withoutWithdrawn(threads: readonly Said[]): Said[] {
  const lists = Map.groupBy(threads, listOf);
  const newestOfRow = new Map<string, Instant>();
  for (const thread of threads) {
    const at = newestOfRow.get(rowOf(thread)) ?? -Infinity;
    newestOfRow.set(rowOf(thread), Math.max(at, latest(thread).at));
  }
  return threads.filter((thread) => {
    if (latest(thread).at < (newestOfRow.get(rowOf(thread)) ?? -Infinity)) return false;
    if (latest(thread).fields.list === null) return true;
    const list = lists.get(listOf(thread)) ?? [];
    const newestAt = Math.max(...list.map((one) => latest(one).at));
    const lastAt = latest(thread).at;
    return lastAt === newestAt || sizeAt(list, newestAt) < WHOLE_FROM * sizeAt(list, lastAt);
  });
}

function listOf(thread: Said): string {
  return `${thread.provider}/${thread.feed}/${latest(thread).fields.list}`;
}

/** The row of a feed, whatever the month: keys without one of their own begin with the day. */
function rowOf({ provider, feed, naturalKey }: Said): string {
  return `${provider}/${feed}/${naturalKey}`;
}

function sizeAt(list: readonly Said[], at: Instant): number {
  return list.filter(({ sightings }) => sightings.some((sighting) => sighting.at === at)).length;
}
