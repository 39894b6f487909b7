import type { TSchema } from 'typebox';
import type { Decimal } from '../domain/decimal.ts';
import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Queryable } from '../storage/db.ts';

/**
 * One read endpoint. Endpoints know their parameters, schema and answer; they never see the HTTP
 * framework, keys or caches.
 */
export interface Endpoint {
  /** Kebab-case, equal to the file name and the OpenAPI operation id: `calendar-earnings`. */
  name: string;
  /** `/v1/calendar/earnings`, path parameters in braces. */
  path: string;
  summary: string;
  describe: string;
  tag: 'earnings' | 'calendars' | 'companies' | 'market' | 'data';
  parameters: readonly Parameter[];
  /** JSON Schema of the 200 body. */
  response: TSchema;
  example: unknown;
  historicalAccess: boolean;
  /** Of an endpoint that is to go; it answers as before, and says so. */
  deprecated?: Deprecated;
  /** The media type of a `text` answer, without parameters; left out, the answer is JSON. */
  mediaType?: string;
  /**
   * Of an array that grows at its end and is read on from a place: the parameter that names the
   * place. Such an endpoint has a `limit` of its own, and neither cursor nor total.
   */
  placeParameter?: string;
  /**
   * Of an array whose rows have no `id`: the members that never change of a row and that no other has
   * alike, by which a page finds the row before it again.
   */
  rowKey?: readonly string[];
  /** Members of the body that hold rows, where they lie in buckets: CSV names them in a column. */
  buckets?: readonly string[];
  /**
   * Faults that lie between parameters, such as a range that ends before it begins. Refused as 400
   * before any look-up; null when all is well.
   */
  check?(values: Values, now: Instant): ParameterFault | null;
  /**
   * The first day asked for, of an endpoint with historical access that is asked by day: one before
   * the history of a plan is refused. The others leave rows out by `historyFrom` of the context.
   */
  firstDay?(values: Values): LocalDate;
  /** Names whose change makes a cached answer stale, such as `earnings:date:2026-11-20`. */
  topics(values: Values, now: Instant): readonly string[];
  /** Until when the answer holds though no topic changes (null: until a topic changes). */
  validUntil?(values: Values, now: Instant): Instant | null;
  maxAgeSeconds(values: Values, now: Instant): number;
  answer(values: Values, context: EndpointContext): Promise<EndpointAnswer>;
}

export interface Deprecated {
  /** The New York day from which nobody new should use it. */
  since: LocalDate;
  /** The first day on which it may be gone, at least a year later; null while that is open. */
  sunset: LocalDate | null;
  /** The page that says why, and what to do. */
  link: string;
  /** The path of what takes its place; null when nothing does. */
  successor: string | null;
}

export type Parameter = {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  /** Of one that is required unless all of these are given in its place. */
  requiredUnless?: readonly string[];
  describe: string;
} & (
  | { kind: 'date' }
  | { kind: 'symbol' }
  | { kind: 'boolean'; default: boolean }
  /** Several canonical symbols with commas between, at most `max`, each once, sorted. */
  | { kind: 'symbols'; max: number }
  /** RFC 3339 with `Z` or an offset. */
  | { kind: 'instant' }
  /** Text that the whole pattern fits, such as the id of an event; `isReadable` tells more. */
  | { kind: 'id'; pattern: RegExp; example: string; isReadable?: (text: string) => boolean }
  | { kind: 'enum'; values: readonly string[]; default?: string }
  /** A whole number from `min` to `max`; `default` null: there is none when it is left out. */
  | { kind: 'integer'; min: number; max: number; default: number | null }
  /** Plain decimal text of at least `min`, such as a price. */
  | { kind: 'decimal'; min: Decimal }
);

/** Parameters after validation: dates resolved to New York days, symbols canonical. */
export interface Values {
  /** Throws when an optional date was left out; `maybeDate` answers null then. */
  date(name: string): LocalDate;
  maybeDate(name: string): LocalDate | null;
  symbol(name: string): string;
  symbols(name: string): readonly string[] | null;
  instant(name: string): Instant | null;
  id(name: string): string;
  flag(name: string): boolean;
  choice(name: string): string | null;
  integer(name: string): number | null;
  decimal(name: string): Decimal | null;
}

export interface EndpointContext {
  db: Queryable;
  now: Instant;
  /** First day that the plan of the one who asks may see; null or left out: all of them. */
  historyFrom?: LocalDate | null;
  /**
   * Where the page begins among all rows there are, for an endpoint that has a `limit` of its own:
   * behind the row that the cursor names, null when that is gone. Left out: at the first.
   */
  startAmong?: (all: readonly Identified[]) => number | null;
}

/** A row by which a page finds its place: its id is that of no other row of any list. */
export interface Identified {
  id: string;
}

export interface ParameterFault {
  code: 'missing-parameter' | 'invalid-parameter';
  parameter: string;
  /** A sentence for people. */
  detail: string;
}

export type EndpointAnswer =
  | {
      kind: 'body';
      body: unknown;
      /** Newest observation that changed the answer; null when nothing dated is in it. */
      asOf: Instant | null;
      /** In place of `maxAgeSeconds` where only the answer tells, such as one that is final. */
      maxAgeSeconds?: number;
      /** Whether rows before `historyFrom` exist and were left out. */
      historyLimited?: boolean;
      /** All rows there are and where those of the body begin, with a `limit` of its own. */
      part?: { of: readonly Identified[]; start: number };
      /** With `placeParameter`: the place at which the next page begins; null when this is the last. */
      next?: string | null;
    }
  /** Not JSON but text of the endpoint's media type. */
  | { kind: 'text'; body: string; asOf: Instant | null; maxAgeSeconds?: number }
  | { kind: 'not-found'; detail: string }
  /** The row behind which the page begins is gone. */
  | { kind: 'lost-place' }
  | {
      kind: 'unknown-symbol';
      symbol: string;
      suggestions: string[];
      successorSymbol: string | null;
    };
