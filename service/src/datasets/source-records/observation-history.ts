import type { Instant } from '../../platform/instant.ts';

/**
 * Everything one feed of one provider ever said of one thing, in order of observation. Merges are
 * pure functions of threads, so the order in which answers arrived cannot matter.
 */
export interface Thread<Fields> {
  provider: string;
  feed: string;
  subject: string;
  naturalKey: string;
  /** By `at`, then by record id's content hash, so that ties fall the same way in every store. */
  sightings: Sighting<Fields>[];
}

export interface Sighting<Fields> {
  at: Instant;
  recordId: number;
  fields: Fields;
  /** True when an operator lets it stand although it breaks a rule; absent otherwise. */
  isAccepted?: boolean;
}

/** What the thread says now: its newest sighting. Threads are never empty. */
export function latest<Fields>(thread: Thread<Fields>): Sighting<Fields> {
  const last = thread.sightings[thread.sightings.length - 1];
  if (last === undefined) throw new RangeError('a thread without sightings');
  return last;
}

/** The newest sighting strictly before `at` that speaks of it; null when there is none. */
export function latestBefore<Fields>(
  thread: Thread<Fields>,
  at: Instant,
  speaks: (fields: Fields) => boolean = () => true,
): Sighting<Fields> | null {
  return thread.sightings.findLast((said) => said.at < at && speaks(said.fields)) ?? null;
}

/**
 * Since when the thread has said, without a break up to `until`, what it says there: the first
 * sighting of the run of equal values that ends in `until`. A sighting that does not speak of it
 * (undefined) breaks no run.
 */
export function saidSince<Fields, Value>(
  thread: Thread<Fields>,
  until: Sighting<Fields>,
  read: (fields: Fields) => Value,
): Instant {
  const value = read(until.fields);
  let since = until.at;
  const end = thread.sightings.lastIndexOf(until);
  if (end === -1) throw new RangeError('a sighting of another thread');
  for (let i = end; i >= 0; i--) {
    const sighting = thread.sightings[i];
    if (sighting === undefined) break;
    const said = read(sighting.fields);
    if (said === undefined && value !== undefined) continue;
    if (said !== value) break;
    since = sighting.at;
  }
  return since;
}

/** Every record that the thread is made of. */
export function recordIds<Fields>(thread: Thread<Fields>): Set<number> {
  return new Set(thread.sightings.map((sighting) => sighting.recordId));
}
