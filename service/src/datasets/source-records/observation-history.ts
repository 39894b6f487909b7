import type { Instant } from '../../platform/instant.ts';

/**
 * Everything one feed of one provider ever said of one thing, in order of observation. Merges are
 * pure functions of threads, so the order in which answers arrived cannot matter.
 */
export interface ObservationHistory<Fields> {
  provider: string;
  feed: string;
  entityKey: string;
  naturalKey: string;
  /** By `at`, then by record id's content hash, so that ties fall the same way in every store. */
  observations: Observation<Fields>[];
}

export interface Observation<Fields> {
  at: Instant;
  recordId: number;
  fields: Fields;
  /** True when an operator lets it stand although it breaks a rule; absent otherwise. */
  isAccepted?: boolean;
}

/** What the thread says now: its newest sighting. Threads are never empty. */
export function latest<Fields>(history: ObservationHistory<Fields>): Observation<Fields> {
  const last = history.observations[history.observations.length - 1];
  if (last === undefined) throw new RangeError('a thread without sightings');
  return last;
}

/** The newest sighting strictly before `at` that speaks of it; null when there is none. */
export function latestBefore<Fields>(
  history: ObservationHistory<Fields>,
  at: Instant,
  speaks: (fields: Fields) => boolean = () => true,
): Observation<Fields> | null {
  return history.observations.findLast((said) => said.at < at && speaks(said.fields)) ?? null;
}

/**
 * Since when the thread has said, without a break up to `until`, what it says there: the first
 * sighting of the run of equal values that ends in `until`. A sighting that does not speak of it
 * (undefined) breaks no run.
 */
export function unchangedSince<Fields, Value>(
  history: ObservationHistory<Fields>,
  until: Observation<Fields>,
  read: (fields: Fields) => Value,
): Instant {
  const value = read(until.fields);
  let since = until.at;
  const end = history.observations.lastIndexOf(until);
  if (end === -1) throw new RangeError('a sighting of another thread');
  for (let i = end; i >= 0; i--) {
    const observation = history.observations[i];
    if (observation === undefined) break;
    const said = read(observation.fields);
    if (said === undefined && value !== undefined) continue;
    if (said !== value) break;
    since = observation.at;
  }
  return since;
}

/** Every record that the thread is made of. */
export function recordIds<Fields>(history: ObservationHistory<Fields>): Set<number> {
  return new Set(history.observations.map((observation) => observation.recordId));
}
