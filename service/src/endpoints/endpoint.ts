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
  tag: 'earnings' | 'calendars' | 'companies' | 'market';
  parameters: readonly Parameter[];
  /** JSON Schema of the 200 body. */
  response: TSchema;
  example: unknown;
  historicalAccess: boolean;
  /** Names whose change makes a cached answer stale, such as `earnings:date:2026-11-20`. */
  topics(values: Values, now: Instant): readonly string[];
  /** Until when the answer holds though no topic changes (null: until a topic changes). */
  validUntil?(values: Values, now: Instant): Instant | null;
  maxAgeSeconds(values: Values, now: Instant): number;
  answer(values: Values, context: EndpointContext): Promise<EndpointAnswer>;
}

export type Parameter = {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  describe: string;
} & (
  | { kind: 'date' }
  | { kind: 'symbol' }
  | { kind: 'boolean'; default: boolean }
  | { kind: 'enum'; values: readonly string[] }
  /** A whole number from `min` to `max`; `default` null: there is none when it is left out. */
  | { kind: 'integer'; min: number; max: number; default: number | null }
  /** Plain decimal text of at least `min`, such as a price. */
  | { kind: 'decimal'; min: Decimal }
);

/** Parameters after validation: dates resolved to New York days, symbols canonical. */
export interface Values {
  date(name: string): LocalDate;
  symbol(name: string): string;
  flag(name: string): boolean;
  choice(name: string): string | null;
  integer(name: string): number | null;
  decimal(name: string): Decimal | null;
}

export interface EndpointContext {
  db: Queryable;
  now: Instant;
}

export type EndpointAnswer =
  | {
      kind: 'body';
      body: unknown;
      /** Newest observation that changed the answer; null when nothing dated is in it. */
      asOf: Instant | null;
      /** In place of `maxAgeSeconds` where only the answer tells, such as one that is final. */
      maxAgeSeconds?: number;
    }
  | {
      kind: 'unknown-symbol';
      symbol: string;
      suggestions: string[];
      successorSymbol: string | null;
    };
