import { settleVersions } from '../../datasets/versions/version-clock.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Endpoint, Parameter, Values } from '../endpoint.ts';

/** An answer as of a past instant never changes. */
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

/** As of when an answer is given. */
export interface Moment {
  /** The instant asked for; null: what is known now. */
  at: Instant | null;
  /** The New York day then, or now. */
  today: LocalDate;
}

export function momentOf(values: Values, now: Instant): Moment {
  const at = values.instant('asOf');
  return { at, today: newYorkDate(at ?? now) };
}

/**
 * Lets an endpoint over versioned facts answer as of a past instant: the parameter, its check, and
 * that what was known then is settled before it is read. Its `answer` must read versions of the
 * moment alone and leave null what has none, since the answer is kept as final.
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
    async answer(values, context) {
      const asOf = values.instant('asOf');
      if (asOf !== null) await settleVersions(context.db, asOf);
      return endpoint.answer(values, context);
    },
  };
}

/**
 * Refuses `asOf` on an endpoint that is computed from prices, in place of ignoring it: whoever sends
 * it would take what is known now for what was known then.
 */
export function withoutPastReads(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    parameters: [...endpoint.parameters, { ...asOfParameter, describe: `Rejected: ${NO_HISTORY}` }],
    check(values, now) {
      if (values.instant('asOf') !== null) {
        return { code: 'invalid-parameter', parameter: 'asOf', detail: NO_HISTORY };
      }
      return endpoint.check?.(values, now) ?? null;
    },
  };
}

const NO_HISTORY =
  'This answer is computed from prices, of which no history is kept as it was known at an instant.';
