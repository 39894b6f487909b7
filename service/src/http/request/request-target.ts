import type { Instant } from '../../platform/instant.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import { problem, type Problem } from '../problems.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import { ignoredNames } from './ignored.ts';
import { parametersOf } from './endpoint-parameters.ts';
import { type ParsedParameters, parseParameters } from './parse-parameters.ts';
import { type QueryPair, splitQuery } from './query-string.ts';
import type { FindRoute, RouteMatch } from './routes.ts';

/** Addresses kept read; the few hundred that clients repeat fit many times over. */
const REMEMBERED_MAX = 4_096;
/**
 * Those that nobody repeats are not kept: 2 KiB of `a&b&…` are a thousand pairs, 150 KB, and anybody
 * may send them.
 */
const REMEMBERED_LENGTH_MAX = 256;
const REMEMBERED_PAIRS_MAX = 16;

/** What an address (without its key) asks for, apart from the moment it is asked. */
export interface RequestTarget extends RouteMatch {
  /** Path and query as they came, the key cut out. */
  urlWithoutKey: string;
  query: readonly QueryPair[];
  /** Names of unknown parameters, ready for the header; null when there are none. */
  ignoredParameters: string | null;
  /** Headers of all its answers that stay the same; null when there are none. */
  extraHeaders: readonly string[] | null;
  /** Its parameters as last read, and how long that reading holds. */
  resolution: ParameterResolution | null;
}

export interface ParameterResolution {
  outcome: ResolvedParameters | { refusal: Problem };
  from: Instant;
  until: Instant;
}

interface ResolvedParameters {
  values: Values;
  location: string;
  /** When a word in it such as `today` means another day; null when it has none. */
  datesValidUntil: Instant | null;
}

/** Reads addresses, and remembers those it knows, so that a repeated one costs one look-up. */
export function createTargetParser(
  findRoute: FindRoute,
): (urlWithoutKey: string) => RequestTarget | null {
  const remembered = new Map<string, RequestTarget>();

  return (urlWithoutKey) => {
    const known = remembered.get(urlWithoutKey);
    if (known !== undefined) return known;
    const target = readTarget(urlWithoutKey, findRoute);
    if (target === null || !isWorthIt(target)) return target;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(urlWithoutKey, target);
    return target;
  };
}

function isWorthIt({ urlWithoutKey: rest, query }: RequestTarget): boolean {
  if (rest.length > REMEMBERED_LENGTH_MAX || query.length > REMEMBERED_PAIRS_MAX) return false;
  return !query.some((pair) => pair.name === 'apikey');
}

/** The target's parameters as of now: `today` is read anew every New York day. */
export function resolveParameters(
  target: RequestTarget,
  now: Instant,
): ParameterResolution['outcome'] {
  const kept = target.resolution;
  if (kept !== null && now >= kept.from && now < kept.until) return kept.outcome;
  const { endpoint, pathParameters: path, query } = target;
  const read = parseParameters(parametersOf(endpoint), { path, query }, now);
  const outcome = 'refusal' in read ? read : checked(endpoint, read, now);
  // What is refused now, such as an instant yet to come, may be in order later; not the reverse.
  if ('refusal' in outcome && endpoint.check !== undefined) return outcome;
  const holds = 'refusal' in read || !read.isRelative ? ALWAYS : newYorkDay(now);
  target.resolution = { outcome, ...holds };
  return outcome;
}

function checked(
  endpoint: Endpoint,
  read: ParsedParameters,
  now: Instant,
): ParameterResolution['outcome'] {
  const fault = endpoint.check?.(read.values, now) ?? null;
  if (fault !== null) {
    const { code, detail, parameter } = fault;
    return { refusal: problem(code, detail, { members: { parameter } }) };
  }
  const location = locationOf(endpoint.path, read.pathValues, read.canonicalQuery);
  const datesValidUntil = read.isRelative ? newYorkDay(now).until : null;
  return { values: read.values, location, datesValidUntil };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

function newYorkDay(now: Instant): { from: Instant; until: Instant } {
  const today = newYorkDate(now);
  return { from: newYorkInstant(today, 0), until: newYorkInstant(addDays(today, 1), 0) };
}

function readTarget(urlWithoutKey: string, findRoute: FindRoute): RequestTarget | null {
  const mark = urlWithoutKey.indexOf('?');
  const match = findRoute(mark === -1 ? urlWithoutKey : urlWithoutKey.slice(0, mark));
  if (match === null) return null;
  const query = mark === -1 ? [] : splitQuery(urlWithoutKey.slice(mark + 1));
  const ignoredParameters = ignoredNames(parametersOf(match.endpoint), query);
  const extraHeaders = notesOf(ignoredParameters, deprecationHeaders(match.endpoint));
  return { ...match, urlWithoutKey, query, ignoredParameters, extraHeaders, resolution: null };
}

function notesOf(
  ignoredParameters: string | null,
  deprecation: readonly string[] | null,
): readonly string[] | null {
  if (ignoredParameters === null) return deprecation;
  return [...(deprecation ?? []), 'X-Ignored-Parameters', ignoredParameters];
}

function locationOf(
  template: string,
  pathValues: ReadonlyMap<string, string>,
  canonicalQuery: string,
): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValues.get(name) ?? '');
  return canonicalQuery === '' ? path : `${path}?${canonicalQuery}`;
}
