import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Endpoint, Parameter, Values } from '../../endpoints/endpoint.ts';
import type { Instant } from '../../platform/instant.ts';
import { problem, type Problem } from '../problems.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import { parametersOf } from './endpoint-parameters.ts';
import { type ParsedParameters, parseParameters } from './parse-parameters.ts';
import { type QueryPair, splitQuery } from './query-string.ts';
import type { FindRoute, RouteMatch } from './routes.ts';

/** Maximum number of parsed URLs in the cache. Clients typically repeat a few hundred URLs. */
const CACHED_MAX = 4_096;
/**
 * Longer URLs are not cached. Clients rarely repeat them, and parsing 2 KiB of `a&b&…` would retain
 * a thousand pairs in 150 KB.
 */
const CACHED_LENGTH_MAX = 256;
const CACHED_PAIRS_MAX = 16;

/** The parts of a parsed URL that do not depend on the API key or the time of the request. */
export interface RequestTarget extends RouteMatch {
  /** Path and query as received, without the API key. */
  urlWithoutKey: string;
  query: readonly QueryPair[];
  /** Value of the `X-Ignored-Parameters` header; null if all parameters are known. */
  ignoredParameters: string | null;
  /**
   * Headers for every response to this URL, as alternating names and values; null if there are
   * none.
   */
  extraHeaders: readonly string[] | null;
  /** The most recent result of `resolveParameters`. */
  resolution: ParameterResolution | null;
}

interface ParameterResolution {
  outcome: ResolvedParameters | { refusal: Problem };
  /** Start of the period during which the outcome is valid; `until` is its end. */
  from: Instant;
  until: Instant;
}

export interface ResolvedParameters {
  values: Values;
  /** The canonical URL, with dates resolved and without an API key. */
  location: string;
  /**
   * Time at which a relative date such as `today` changes its meaning; null if the request has
   * none.
   */
  datesValidUntil: Instant | null;
}

/**
 * Creates a URL parser that caches its results, so that parsing a repeated URL costs only one
 * lookup.
 */
export function createTargetParser(
  findRoute: FindRoute,
): (urlWithoutKey: string) => RequestTarget | null {
  const cache = new Map<string, RequestTarget>();

  return (urlWithoutKey) => {
    const cached = cache.get(urlWithoutKey);
    if (cached !== undefined) return cached;
    const target = parseTarget(urlWithoutKey, findRoute);
    if (target === null || !isCacheable(target)) return target;
    if (cache.size >= CACHED_MAX) cache.clear();
    cache.set(urlWithoutKey, target);
    return target;
  };
}

function isCacheable({ urlWithoutKey, query }: RequestTarget): boolean {
  if (urlWithoutKey.length > CACHED_LENGTH_MAX || query.length > CACHED_PAIRS_MAX) return false;
  return !query.some((pair) => pair.name === 'apikey');
}

/** Returns the parameter values at the given time. `today` is resolved again every New York day. */
export function resolveParameters(
  target: RequestTarget,
  now: Instant,
): ParameterResolution['outcome'] {
  const previous = target.resolution;
  if (previous !== null && now >= previous.from && now < previous.until) return previous.outcome;
  const { endpoint, pathParameters, query } = target;
  const input = { path: pathParameters, query };
  const parsed = parseParameters(parametersOf(endpoint), input, now);
  const outcome = 'refusal' in parsed ? parsed : checkParameters(endpoint, parsed, now);
  // A rejection is not cached, because a rejected value, such as a future instant, may be valid
  // later. A valid value always remains valid.
  if ('refusal' in outcome && endpoint.check !== undefined) return outcome;
  const validity = 'refusal' in parsed || !parsed.isRelative ? ALWAYS : newYorkDay(now);
  target.resolution = { outcome, ...validity };
  return outcome;
}

function checkParameters(
  endpoint: Endpoint,
  parsed: ParsedParameters,
  now: Instant,
): ParameterResolution['outcome'] {
  const fault = endpoint.check?.(parsed.values, now) ?? null;
  if (fault !== null) {
    const { code, detail, parameter } = fault;
    return { refusal: problem(code, detail, { members: { parameter } }) };
  }
  const { values, pathValues, canonicalQuery, isRelative } = parsed;
  const location = locationOf(endpoint.path, pathValues, canonicalQuery);
  return { values, location, datesValidUntil: isRelative ? newYorkDay(now).until : null };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

function newYorkDay(now: Instant): { from: Instant; until: Instant } {
  const today = newYorkDate(now);
  return { from: newYorkInstant(today, 0), until: newYorkInstant(addDays(today, 1), 0) };
}

function parseTarget(urlWithoutKey: string, findRoute: FindRoute): RequestTarget | null {
  const queryStart = urlWithoutKey.indexOf('?');
  const match = findRoute(queryStart === -1 ? urlWithoutKey : urlWithoutKey.slice(0, queryStart));
  if (match === null) return null;
  const query = queryStart === -1 ? [] : splitQuery(urlWithoutKey.slice(queryStart + 1));
  const ignoredParameters = ignoredNames(parametersOf(match.endpoint), query);
  const deprecation = deprecationHeaders(match.endpoint);
  const extraHeaders =
    ignoredParameters === null
      ? deprecation
      : [...(deprecation ?? []), 'X-Ignored-Parameters', ignoredParameters];
  return { ...match, urlWithoutKey, query, ignoredParameters, extraHeaders, resolution: null };
}

const IGNORED_NAMES_MAX = 10;
const IGNORED_NAME_LENGTH_MAX = 40;

/**
 * Returns the value of the `X-Ignored-Parameters` header, which lists unknown parameters, or null
 * if there are none. Characters that are not allowed in names are replaced with `?`. Names that
 * look like an API key are omitted.
 */
function ignoredNames(
  parameters: readonly Parameter[],
  query: readonly QueryPair[],
): string | null {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const knownNames = new Set(['apikey', ...inQuery.map(({ name }) => name)]);
  const ignored = new Set<string>();
  for (const { name } of query) {
    if (knownNames.has(name) || name === '' || /eds_/i.test(name)) continue;
    const safeName = name.replaceAll(/[^A-Za-z0-9_.[\]-]/g, '?');
    ignored.add(safeName.slice(0, IGNORED_NAME_LENGTH_MAX));
    if (ignored.size === IGNORED_NAMES_MAX) break;
  }
  return ignored.size === 0 ? null : [...ignored].join(', ');
}

function locationOf(
  template: string,
  pathValues: ReadonlyMap<string, string>,
  canonicalQuery: string,
): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValues.get(name) ?? '');
  return canonicalQuery === '' ? path : `${path}?${canonicalQuery}`;
}
