import type { Instant } from '../../platform/instant.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import { problem, type Problem } from '../problems.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import { ignoredNames } from './ignored.ts';
import { parametersOf } from './endpoint-parameters.ts';
import { type ReadParameters, readParameters } from './parse-parameters.ts';
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
export interface Target extends RouteMatch {
  /** Path and query as they came, the key cut out. */
  rest: string;
  query: readonly QueryPair[];
  /** Names of unknown parameters, ready for the header; null when there are none. */
  ignored: string | null;
  /** Headers of all its answers that stay the same; null when there are none. */
  notes: readonly string[] | null;
  /** Its parameters as last read, and how long that reading holds. */
  reading: Reading | null;
}

export interface Reading {
  outcome: ReadQuestion | { refusal: Problem };
  from: Instant;
  until: Instant;
}

interface ReadQuestion {
  values: Values;
  location: string;
  /** When a word in it such as `today` means another day; null when it has none. */
  meansUntil: Instant | null;
}

/** Reads addresses, and remembers those it knows, so that a repeated one costs one look-up. */
export function createTargets(findRoute: FindRoute): (rest: string) => Target | null {
  const remembered = new Map<string, Target>();

  return (rest) => {
    const known = remembered.get(rest);
    if (known !== undefined) return known;
    const target = readTarget(rest, findRoute);
    if (target === null || !isWorthIt(target)) return target;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(rest, target);
    return target;
  };
}

function isWorthIt({ rest, query }: Target): boolean {
  if (rest.length > REMEMBERED_LENGTH_MAX || query.length > REMEMBERED_PAIRS_MAX) return false;
  return !query.some((pair) => pair.name === 'apikey');
}

/** The target's parameters as of now: `today` is read anew every New York day. */
export function readingOf(target: Target, now: Instant): Reading['outcome'] {
  const kept = target.reading;
  if (kept !== null && now >= kept.from && now < kept.until) return kept.outcome;
  const { endpoint, path, query } = target;
  const read = readParameters(parametersOf(endpoint), { path, query }, now);
  const outcome = 'refusal' in read ? read : checked(endpoint, read, now);
  // What is refused now, such as an instant yet to come, may be in order later; not the reverse.
  if ('refusal' in outcome && endpoint.check !== undefined) return outcome;
  const holds = 'refusal' in read || !read.isRelative ? ALWAYS : newYorkDay(now);
  target.reading = { outcome, ...holds };
  return outcome;
}

function checked(endpoint: Endpoint, read: ReadParameters, now: Instant): Reading['outcome'] {
  const fault = endpoint.check?.(read.values, now) ?? null;
  if (fault !== null) {
    const { code, detail, parameter } = fault;
    return { refusal: problem(code, detail, { members: { parameter } }) };
  }
  const location = locationOf(endpoint.path, read.pathValues, read.canonicalQuery);
  const meansUntil = read.isRelative ? newYorkDay(now).until : null;
  return { values: read.values, location, meansUntil };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

function newYorkDay(now: Instant): { from: Instant; until: Instant } {
  const today = newYorkDate(now);
  return { from: newYorkInstant(today, 0), until: newYorkInstant(addDays(today, 1), 0) };
}

function readTarget(rest: string, findRoute: FindRoute): Target | null {
  const mark = rest.indexOf('?');
  const match = findRoute(mark === -1 ? rest : rest.slice(0, mark));
  if (match === null) return null;
  const query = mark === -1 ? [] : splitQuery(rest.slice(mark + 1));
  const ignored = ignoredNames(parametersOf(match.endpoint), query);
  const notes = notesOf(ignored, deprecationHeaders(match.endpoint));
  return { ...match, rest, query, ignored, notes, reading: null };
}

function notesOf(
  ignored: string | null,
  deprecation: readonly string[] | null,
): readonly string[] | null {
  if (ignored === null) return deprecation;
  return [...(deprecation ?? []), 'X-Ignored-Parameters', ignored];
}

function locationOf(
  template: string,
  pathValues: ReadonlyMap<string, string>,
  canonicalQuery: string,
): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValues.get(name) ?? '');
  return canonicalQuery === '' ? path : `${path}?${canonicalQuery}`;
}
