import type { Instant } from '../../platform/instant.ts';
import type { Observation, ObservationHistory } from './observation-history.ts';

/**
 * Returns the part of an observation that was public at an instant, dated when it became public;
 * null if nothing was. Must not depend on anything observed after that, except for facts about the
 * document itself, such as its acceptance time.
 */
export type PublicView<Fields> = (
  observation: Observation<Fields>,
  at: Instant,
) => Observation<Fields> | null;

/**
 * The view of rows whose source gives no publication time: they are public from their observation.
 * A row with an unknown observation time is never public.
 */
export function publicSinceObserved<Fields>(
  observation: Observation<Fields>,
  at: Instant,
): Observation<Fields> | null {
  return observation.at > 0 && observation.at <= at ? observation : null;
}

/**
 * Limits histories to what was public at an instant. A merge of the result uses only what
 * anyone could have read then. Histories of which nothing was public are absent.
 */
export function publicHistories<Fields>(
  histories: readonly ObservationHistory<Fields>[],
  at: Instant,
  view: PublicView<Fields> = publicSinceObserved,
): ObservationHistory<Fields>[] {
  return histories.flatMap((history) => {
    const observations = history.observations
      .flatMap((observation) => view(observation, at) ?? [])
      // The sort is stable: observations published at the same time remain in observed order.
      .toSorted((a, b) => a.at - b.at);
    return observations.length === 0 ? [] : [{ ...history, observations }];
  });
}

/**
 * Returns the time of the first observation of a kind; null if there is none with a known time.
 */
export function firstObservedAt<Fields>(
  histories: readonly ObservationHistory<Fields>[],
  isOfKind: (fields: Fields) => boolean = () => true,
): Instant | null {
  const instants = histories.flatMap(({ observations }) =>
    observations.filter(({ at, fields }) => at > 0 && isOfKind(fields)).map(({ at }) => at),
  );
  return instants.reduce<Instant | null>((a, b) => (a === null || b < a ? b : a), null);
}
