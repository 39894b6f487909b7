import type { TSchema } from 'typebox';
import type { Decimal } from '../domain/decimal.ts';
import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Queryable } from '../storage/db.ts';

/**
 * A read endpoint: parameters, schema and handler. It is independent of the HTTP framework, API
 * keys and caches.
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
  /** Set if the endpoint is deprecated. It still works and announces its deprecation. */
  deprecated?: Deprecation;
  /** Media type of a `text` response, without parameters. JSON by default. */
  mediaType?: string;
  /**
   * Name of the parameter that holds the position, for an array that grows at its end. Such an
   * endpoint has its own `limit`, and neither cursor nor total.
   */
  positionParameter?: string;
  /**
   * Immutable fields that identify a row, for rows without an `id`. A page uses them to find its
   * start.
   */
  rowKey?: readonly string[];
  /** Body fields that hold arrays of rows. CSV names the array in a column. */
  buckets?: readonly string[];
  /**
   * Checks rules across parameters, such as the order of a range. Returns the fault for a 400
   * response before any data is loaded; null if valid.
   */
  check?(values: Values, now: Instant): ParameterFault | null;
  /**
   * First requested day of an endpoint with historical access by day. Requests before the plan's
   * history are rejected. Other endpoints filter rows by `historyFrom` of the context.
   */
  firstDay?(values: Values): LocalDate;
  /** Topics that make a cached response stale, such as `earnings:date:2026-11-20`. */
  topics(values: Values, now: Instant): readonly string[];
  /** Time at which the response expires without a stale topic; null if it never does. */
  validUntil?(values: Values, now: Instant): Instant | null;
  maxAgeSeconds(values: Values, now: Instant): number;
  handle(values: Values, context: EndpointContext): Promise<EndpointResponse>;
}

export interface Deprecation {
  /** New York day since which new clients should not use it. */
  since: LocalDate;
  /** First day on which it may be removed, at least a year later; null if undecided. */
  sunset: LocalDate | null;
  /** URL of a page with the reason and the migration steps. */
  link: string;
  /** Path of the replacement; null if there is none. */
  successor: string | null;
}

export type Parameter = {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  /** Parameters that together make this one optional. */
  requiredUnless?: readonly string[];
  describe: string;
} & (
  | { kind: 'date' }
  | { kind: 'symbol' }
  | { kind: 'boolean'; default: boolean }
  /** Canonical symbols separated by commas, at most `max`, sorted and without duplicates. */
  | { kind: 'symbols'; max: number }
  /** RFC 3339 with `Z` or an offset. */
  | { kind: 'instant' }
  /**
   * Text that matches the whole pattern, such as the id of an event. `isReadable` checks further.
   */
  | { kind: 'id'; pattern: RegExp; example: string; isReadable?: (text: string) => boolean }
  | { kind: 'enum'; values: readonly string[]; default?: string }
  /** Whole number from `min` to `max`. `default` is null if there is none. */
  | { kind: 'integer'; min: number; max: number; default: number | null }
  /** Decimal number of at least `min`, such as a price. */
  | { kind: 'decimal'; min: Decimal }
);

/** Validated parameters: dates resolved to New York days, symbols canonical. */
export interface Values {
  /** Throws if an optional date is missing; `maybeDate` returns null instead. */
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
  /** First day that the caller's plan may see; null or absent for no limit. */
  historyFrom?: LocalDate | null;
  /**
   * Start of the page among all rows, for an endpoint with its own `limit`: after the row that the
   * cursor names, or null if that row is gone. Absent for the first page.
   */
  findStart?: (rows: readonly IdentifiedRow[]) => number | null;
}

/** A row that a page can start after. Its id is unique across all lists. */
export interface IdentifiedRow {
  id: string;
}

export interface ParameterFault {
  code: 'missing-parameter' | 'invalid-parameter';
  parameter: string;
  /** Human-readable sentence. */
  detail: string;
}

export type EndpointResponse =
  | {
      kind: 'body';
      body: unknown;
      /** Time of the newest observation in the response; null if nothing in it is dated. */
      asOf: Instant | null;
      /** Overrides `maxAgeSeconds` of the endpoint, for example for final data. */
      maxAgeSeconds?: number;
      /** True if rows before `historyFrom` exist and were left out. */
      historyLimited?: boolean;
      /** All rows and the start of the returned ones, for an endpoint with its own `limit`. */
      part?: { rows: readonly IdentifiedRow[]; start: number };
      /** With `positionParameter`: position of the next page; null on the last page. */
      next?: string | null;
    }
  /** Text in the endpoint's media type. */
  | { kind: 'text'; body: string; asOf: Instant | null; maxAgeSeconds?: number }
  | { kind: 'not-found'; detail: string }
  /** The row that the page starts after is gone. */
  | { kind: 'cursor-gone' }
  | {
      kind: 'unknown-symbol';
      symbol: string;
      suggestions: string[];
      successorSymbol: string | null;
    };
