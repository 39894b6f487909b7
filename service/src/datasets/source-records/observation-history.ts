import type { Instant } from '../../platform/instant.ts';

/**
 * All observations that one feed of a provider made for one key, in order of time. Merges are pure
 * functions of these histories, so the arrival order of responses does not matter.
 */
export interface ObservationHistory<Fields> {
  provider: string;
  feed: string;
  entityKey: string;
  naturalKey: string;
  /**
   * Ordered by `at`, then by content hash, so that ties are resolved the same way in every store.
   */
  observations: Observation<Fields>[];
}

export interface Observation<Fields> {
  at: Instant;
  recordId: number;
  fields: Fields;
  /** True if an operator accepted the observation although it breaks a rule; absent otherwise. */
  isAccepted?: boolean;
}

/** Returns the newest observation. Histories are never empty. */
export function latest<Fields>({ observations }: ObservationHistory<Fields>): Observation<Fields> {
  const last = observations.at(-1);
  if (last === undefined) throw new RangeError('a history without observations');
  return last;
}

/**
 * Returns the newest observation strictly before `at` that has the field; null if there is none.
 */
export function latestBefore<Fields>(
  { observations }: ObservationHistory<Fields>,
  at: Instant,
  hasField: (fields: Fields) => boolean = () => true,
): Observation<Fields> | null {
  return (
    observations.findLast((observation) => observation.at < at && hasField(observation.fields)) ??
    null
  );
}

/**
 * Returns the time since which the value has been unchanged, up to `until`: the time of the first
 * observation in the run of equal values that ends there. Observations without the value
 * (undefined) do not interrupt a run.
 */
export function unchangedSince<Fields, Value>(
  { observations }: ObservationHistory<Fields>,
  until: Observation<Fields>,
  read: (fields: Fields) => Value,
): Instant {
  const value = read(until.fields);
  let since = until.at;
  const end = observations.lastIndexOf(until);
  if (end === -1) throw new RangeError('an observation of another history');
  for (const { at, fields } of observations.slice(0, end + 1).toReversed()) {
    const earlier = read(fields);
    if (earlier === undefined && value !== undefined) continue;
    if (earlier !== value) break;
    since = at;
  }
  return since;
}

/** Returns the ids of all records in the history. */
export function recordIds<Fields>({ observations }: ObservationHistory<Fields>): Set<number> {
  return new Set(observations.map(({ recordId }) => recordId));
}
