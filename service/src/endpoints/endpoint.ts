import type { Topic } from '../datasets/topics.gen.ts';
import type { TSchema } from 'typebox';
import type { DatasetName } from '../datasets/observations.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Queryable } from '../storage/db.ts';

/**
 * A read endpoint: its parameters, schema and handler. Independent of the HTTP framework, API keys
 * and caches.
 */
export interface Endpoint {
  /**
   * Kebab-case name, equal to the file name and the OpenAPI operation ID, such as
   * `calendar-earnings`.
   */
  name: string;
  /** URL path with path parameters in braces, such as `/v1/calendar/earnings`. */
  path: string;
  summary: string;
  describe: string;
  tag: 'earnings' | 'calendars' | 'companies' | 'market' | 'data';
  parameters: readonly Parameter[];
  /** JSON Schema for the body of a 200 response. */
  response: TSchema;
  example: unknown;
  /** Data sets that the response is read from. Empty if it is computed from rules alone. */
  datasets: readonly DatasetName[];
  historicalAccess: boolean;
  /**
   * Set if the endpoint is deprecated. It still works, and its responses announce the deprecation.
   */
  deprecated?: Deprecation;
  /** Media type of a `text` response, without parameters. Defaults to JSON. */
  mediaType?: string;
  /**
   * Name of the parameter that contains the start position, for an array that only grows at its
   * end. Such an endpoint has its own `limit`, but no cursor and no total.
   */
  positionParameter?: string;
  /**
   * Immutable fields that identify a row without an `id`. Pagination uses them to find the row
   * after which a page starts.
   */
  rowKey?: readonly string[];
  /** Body fields that contain arrays of rows. CSV output has a column with the array's name. */
  buckets?: readonly string[];
  /**
   * Checks rules that involve several parameters, such as the order of the ends of a range, before
   * any data is loaded. Returns the fault for a 400 response, or null if the parameters are valid.
   */
  check?(values: Values, now: Instant): ParameterFault | null;
  /**
   * Returns the first requested day, for an endpoint with historical access by day. A request for a
   * day before the plan's history is rejected. Endpoints without this function omit rows before
   * `historyFrom` in the context.
   */
  firstDay?(values: Values): LocalDate;
  /** Returns the topics that make a cached response stale. */
  topics(values: Values, now: Instant): readonly Topic[];
  /**
   * Returns the time at which the response expires even if no topic changes, or null if it never
   * does.
   */
  validUntil?(values: Values, now: Instant): Instant | null;
  maxAgeSeconds(values: Values, now: Instant): number;
  handle(values: Values, context: EndpointContext): Promise<EndpointResponse>;
  /**
   * Set if the endpoint sends a file instead of a body. Returns the file, or null if it does not
   * exist.
   */
  findFile?(values: Values): Promise<StoredFile | null>;
  /** True if the response is a stream of events that does not end. `handle` is then never called. */
  isStream?: true;
}

/** A file that is sent as it is, in ranges if the client requests them. It never changes. */
export interface StoredFile {
  path: string;
  /** Name under which a browser saves the file. */
  name: string;
  sizeBytes: number;
  /** Hexadecimal; also the entity tag. */
  sha256: string;
  modifiedAt: Instant;
}

export interface Deprecation {
  /** New York day from which new clients should no longer use the operation. */
  since: LocalDate;
  /**
   * First day on which the operation may be removed, at least a year after `since`; null if
   * undecided.
   */
  sunset: LocalDate | null;
  /** URL of a page that explains the reason for the deprecation and how to migrate. */
  link: string;
  /** Path of the replacement; null if there is none. */
  successor: string | null;
}

export type Parameter = {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  /** Parameters that, if all present, make this one optional. */
  requiredUnless?: readonly string[];
  describe: string;
} & (
  | { kind: 'date' }
  | { kind: 'symbol' }
  /** `default` is null if a missing value means that it does not matter. */
  | { kind: 'boolean'; default: boolean | null }
  /**
   * Canonical symbols separated by commas: at most `max`, sorted and without duplicates. `@name`
   * stands for the symbols on a watchlist of the customer, by which it is replaced before `handle`
   * and `topics` are called.
   */
  | { kind: 'symbols'; max: number }
  /** RFC 3339 timestamp with `Z` or an offset, or a New York day, which means its end. */
  | { kind: 'instant' }
  /**
   * Text that matches the whole pattern, such as an event ID, or an instant. `isReadable` adds
   * further checks.
   */
  | {
      kind: 'id';
      pattern: RegExp;
      orInstant?: true;
      example: string;
      isReadable?: (text: string) => boolean;
    }
  /** Text of 1 to `lengthMax` characters to search for. */
  | { kind: 'text'; lengthMax: number }
  | { kind: 'enum'; values: readonly string[]; default?: string }
  /** Whole number from `min` to `max`. `default` is null if there is no default. */
  | { kind: 'integer'; min: number; max: number; default: number | null }
  /** Decimal number from `min` to `max`, such as a price. */
  | { kind: 'decimal'; min: Decimal; max: Decimal }
);

/**
 * Validated parameter values, with dates resolved to New York days and symbols in canonical form.
 */
export interface Values {
  /** Throws if an optional date is missing. `maybeDate` returns null in that case. */
  date(name: string): LocalDate;
  maybeDate(name: string): LocalDate | null;
  symbol(name: string): string;
  symbols(name: string): readonly string[] | null;
  instant(name: string): Instant | null;
  id(name: string): string;
  flag(name: string): boolean;
  /** Null if the parameter is missing and has no default. */
  maybeFlag(name: string): boolean | null;
  text(name: string): string | null;
  choice(name: string): string | null;
  integer(name: string): number | null;
  decimal(name: string): Decimal | null;
}

export interface EndpointContext {
  db: Queryable;
  now: Instant;
  /** First day visible under the caller's plan; null or absent for no limit. */
  historyFrom?: LocalDate | null;
  /**
   * Returns the index at which the page starts, for an endpoint that paginates itself: the index
   * after the row that the cursor identifies, or null if that row no longer exists. Absent for the
   * first page.
   */
  findStart?: (rows: readonly IdentifiedRow[]) => number | null;
  /** Canonical path and query of the request, without the key, for a response that links to itself. */
  location?: string;
  /** Configured URL of the service, which precedes a path; empty or absent if it is unknown. */
  baseUrl?: string;
}

/** A row after which a page can start. Its ID is unique across all lists. */
export interface IdentifiedRow {
  id: string;
}

/** The part of a list that a page shows. */
export interface ListPart {
  /** All rows of the list. */
  rows: readonly IdentifiedRow[];
  /** Index of the first shown row. */
  start: number;
  /** Number of shown rows; absent if each item of the body is a row. */
  count?: number;
}

/** A requested symbol that no security has at the point in time. */
export interface UnknownSymbol {
  symbol: string;
  /** The symbol by which its last security is known; null if no security ever had it. */
  successorSymbol: string | null;
}

/** Data about which nothing is known before an instant. */
export interface KnownGap {
  /** Kind of data, such as `consensus`: lower case with hyphens. */
  data: string;
  /** Time of the first recording of such data; null if there is none. */
  before: Instant | null;
}

export interface ParameterFault {
  code: 'missing-parameter' | 'invalid-parameter';
  parameter: string;
  /** A sentence that explains the fault to people. */
  detail: string;
}

export type EndpointResponse =
  | {
      kind: 'body';
      body: unknown;
      /**
       * Time of the newest observation in the response; null if the response contains no dated
       * observation.
       */
      asOf: Instant | null;
      /** Overrides the endpoint's `maxAgeSeconds`, for example for final data. */
      maxAgeSeconds?: number;
      /** True if rows before `historyFrom` exist and were omitted. */
      historyLimited?: boolean;
      /** Missing kinds of data, of which no source states what was known at the instant. */
      knownGaps?: readonly KnownGap[];
      /** Requested symbols without a security, which the response omits. */
      unknownSymbols?: readonly UnknownSymbol[];
      /** The rows of the whole list that the body shows, for an endpoint that paginates itself. */
      part?: ListPart;
      /**
       * Position of the next page, for an endpoint with `positionParameter`; null on the last page.
       */
      next?: string | null;
    }
  /** Text in the endpoint's media type. */
  | {
      kind: 'text';
      body: string;
      asOf: Instant | null;
      maxAgeSeconds?: number;
      historyLimited?: boolean;
    }
  | { kind: 'not-found'; detail: string }
  /** The row after which the page starts no longer exists. */
  | { kind: 'cursor-gone' }
  /** The position is not in the history of the store. `resumeAfter` is one that is. */
  | { kind: 'position-lost'; resumeAfter: string }
  /** The requested instant is before the store's first commit; null if there is none. */
  | { kind: 'not-known-yet'; firstAt: Instant | null }
  | {
      kind: 'unknown-symbol';
      symbol: string;
      suggestions: string[];
      successorSymbol: string | null;
      /** True if the store has a simulated market, in which real symbols do not exist. */
      isSimulated?: boolean;
    };
