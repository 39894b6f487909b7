import { settleVersions } from '../../datasets/versions/version-clock.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Endpoint, KnownGap, Parameter, ParameterFault, Values } from '../endpoint.ts';
import { requestedRange } from './date-range.ts';

/** Client cache lifetime for a response for a past instant, which never changes. */
const MAX_AGE_SECONDS = 86_400;
/**
 * Lifetime of a response about public knowledge. A document that the store reads later may add to
 * it, and no topic names all the days and companies that the document may affect.
 */
const PUBLIC_MAX_AGE_SECONDS = 60;

const asOfParameter: Parameter = {
  name: 'asOf',
  in: 'query',
  kind: 'instant',
  required: false,
  describe:
    'Returns the data as known at this instant: RFC 3339, or a New York day, which means its end. ' +
    'Not in the future. Words such as `today` refer to the day of the request.',
};

const knownParameter: Parameter = {
  name: 'known',
  in: 'query',
  kind: 'enum',
  values: ['store', 'public'],
  default: 'store',
  required: false,
  describe:
    'The knowledge that `asOf` refers to. `store`: what this service had learned; the same request ' +
    'always returns the same response. `public`: what was public in documents accepted or ' +
    'published by then, however late the service read them.',
};

/** The point in time that a response describes. */
export interface PointInTime {
  /** The requested instant; null for current data. */
  at: Instant | null;
  /** New York day at `at`, or the current day if `at` is null. */
  today: LocalDate;
  /** The knowledge that the response is limited to. `public` only with an instant. */
  known: 'store' | 'public';
}

/** A point in time of which the public's knowledge is requested. */
export interface PublicPoint extends PointInTime {
  at: Instant;
  known: 'public';
}

export function pointInTimeOf(values: Values, now: Instant): PointInTime {
  const at = values.instant('asOf');
  const known = at !== null && asksForPublic(values) ? 'public' : 'store';
  return { at, today: newYorkDate(at ?? now), known };
}

export function isPublic(point: PointInTime): point is PublicPoint {
  return point.known === 'public';
}

/**
 * Returns the instant whose state of the stored identities applies. Identities have no publication
 * time, so the public's knowledge is combined with the current ones.
 */
export function storeInstantOf({ at, known }: PointInTime): Instant | null {
  return known === 'public' ? null : at;
}

/**
 * Returns the data that no document with a publication time contains and that was not recorded yet
 * at the instant. `recordedSince` is the time of its first recording.
 */
export function gapsAt(
  point: PointInTime,
  data: readonly string[],
  recordedSince: Instant | null,
): KnownGap[] {
  if (!isPublic(point) || (recordedSince !== null && recordedSince <= point.at)) return [];
  return data.map((name) => ({ data: name, before: recordedSince }));
}

/**
 * Adds `asOf` and `known` to an endpoint: the parameters, their validation, and a wait until the
 * versions for that instant are final. With `known=store`, the endpoint's handler must read only
 * versions valid at that instant and return null for unversioned data, because the response is
 * cached permanently.
 */
export function withPastReads(endpoint: Endpoint): Endpoint {
  return withPointInTime(endpoint, { hasPrices: false });
}

/**
 * Like `withPastReads`, for a response that also contains prices. They have no history: a bar that
 * arrives late or is corrected changes responses for past instants, which therefore expire as
 * current ones do.
 */
export function withPastPriceReads(endpoint: Endpoint): Endpoint {
  return withPointInTime(endpoint, { hasPrices: true });
}

function withPointInTime(endpoint: Endpoint, { hasPrices }: { hasPrices: boolean }): Endpoint {
  const isFinal = (values: Values): boolean =>
    values.instant('asOf') !== null && !asksForPublic(values) && !hasPrices;
  const instantOf = (values: Values, now: Instant): Instant => values.instant('asOf') ?? now;
  return {
    ...endpoint,
    parameters: [...endpoint.parameters, asOfParameter, knownParameter],
    check: (values, now) => faultOf(values, now) ?? endpoint.check?.(values, now) ?? null,
    topics: (values, now) =>
      isFinal(values) ? [] : endpoint.topics(values, hasPrices ? instantOf(values, now) : now),
    validUntil(values, now) {
      if (isFinal(values)) return null;
      const until = endpoint.validUntil?.(values, now) ?? null;
      if (!asksForPublic(values)) return until;
      return Math.min(until ?? Infinity, now + PUBLIC_MAX_AGE_SECONDS * 1000);
    },
    maxAgeSeconds(values, now) {
      if (isFinal(values)) return MAX_AGE_SECONDS;
      const seconds = endpoint.maxAgeSeconds(values, now);
      return asksForPublic(values) ? Math.min(PUBLIC_MAX_AGE_SECONDS, seconds) : seconds;
    },
    async handle(values, context) {
      const asOf = values.instant('asOf');
      if (asOf !== null && !asksForPublic(values)) {
        const firstAt = await settleVersions(context.db, asOf);
        if (firstAt === null || asOf < firstAt) return { kind: 'not-known-yet', firstAt };
      }
      return endpoint.handle(values, context);
    },
  };
}

/** Returns whether the query asks for public knowledge, which requires `asOf`. */
function asksForPublic(values: Values): boolean {
  return values.choice('known') === 'public';
}

function faultOf(values: Values, now: Instant): ParameterFault | null {
  const asOf = values.instant('asOf');
  if (asOf !== null && asOf > now) {
    const detail = 'The parameter asOf is later than now. A day means its end in New York.';
    return { code: 'invalid-parameter', parameter: 'asOf', detail };
  }
  if (!asksForPublic(values)) return null;
  if (asOf !== null) return null;
  const detail = 'known=public requires asOf, the instant whose public knowledge is requested.';
  return { code: 'missing-parameter', parameter: 'asOf', detail };
}

/**
 * Rejects a range of several days of public knowledge without `symbols`, because every company with
 * a possible report is derived again.
 */
export function publicRangeFault(values: Values): ParameterFault | null {
  const range = requestedRange(values);
  if (!asksForPublic(values) || range === null || values.symbols('symbols') !== null) return null;
  if (range.from === range.to) return null;
  const detail = 'With known=public, request one day at a time, or name symbols.';
  return { code: 'missing-parameter', parameter: 'symbols', detail };
}
