import { settleVersions } from '../../datasets/versions/version-clock.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Endpoint, Parameter, Values } from '../endpoint.ts';

/** Client cache lifetime for a response for a past instant, which never changes. */
const MAX_AGE_SECONDS = 86_400;

const asOfParameter: Parameter = {
  name: 'asOf',
  in: 'query',
  kind: 'instant',
  required: false,
  describe:
    'Returns the data as known at this instant (RFC 3339, not in the future). The same request ' +
    'always returns the same response. Words such as `today` refer to the day of the request.',
};

/** The point in time that a response describes. */
export interface PointInTime {
  /** The requested instant; null for current data. */
  at: Instant | null;
  /** New York day at `at`, or the current day if `at` is null. */
  today: LocalDate;
}

export function pointInTimeOf(values: Values, now: Instant): PointInTime {
  const at = values.instant('asOf');
  return { at, today: newYorkDate(at ?? now) };
}

/**
 * Adds `asOf` to an endpoint that reads versioned rows: the parameter, its validation, and a wait
 * until the versions for that instant are final. The endpoint's handler must read only versions
 * valid at that instant and return null for unversioned data, because the response is cached
 * permanently.
 */
export function withPastReads(endpoint: Endpoint): Endpoint {
  const isPast = (values: Values): boolean => values.instant('asOf') !== null;
  return {
    ...endpoint,
    parameters: [...endpoint.parameters, asOfParameter],
    check(values, now) {
      const asOf = values.instant('asOf');
      if (asOf !== null && asOf > now) {
        const detail = 'The parameter asOf is later than now.';
        return { code: 'invalid-parameter', parameter: 'asOf', detail };
      }
      return endpoint.check?.(values, now) ?? null;
    },
    topics: (values, now) => (isPast(values) ? [] : endpoint.topics(values, now)),
    validUntil: (values, now) =>
      isPast(values) ? null : (endpoint.validUntil?.(values, now) ?? null),
    maxAgeSeconds: (values, now) =>
      isPast(values) ? MAX_AGE_SECONDS : endpoint.maxAgeSeconds(values, now),
    async handle(values, context) {
      const asOf = values.instant('asOf');
      if (asOf !== null) await settleVersions(context.db, asOf);
      return endpoint.handle(values, context);
    },
  };
}

/**
 * Rejects `asOf` for an endpoint whose response is computed from prices. If `asOf` were ignored,
 * clients would mistake current data for historical data.
 */
export function withoutPastReads(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    parameters: [
      ...endpoint.parameters,
      { ...asOfParameter, isRejected: true, describe: `Rejected: ${NO_HISTORY}` },
    ],
    check(values, now) {
      if (values.instant('asOf') !== null) {
        return { code: 'invalid-parameter', parameter: 'asOf', detail: NO_HISTORY };
      }
      return endpoint.check?.(values, now) ?? null;
    },
  };
}

const NO_HISTORY = 'This response is computed from prices, whose past states are not stored.';
