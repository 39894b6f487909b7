import type { BarObservations } from '../datasets/bars/observation.ts';
import type { ObservationOf, ObservedDataset } from '../datasets/observations.ts';
import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from '../domain/local-date.ts';

/** Name of a data set: a folder of `datasets/` that exports a `dataset`. */
export type DatasetName = ObservedDataset | 'bars';

/**
 * A source of facts. One folder per provider: `index.ts` exports one of these as `provider`, one
 * file per feed, `fixtures/` of our own writing, `readme.md`.
 */
export interface Provider {
  name: string;
  title: string;
  homepage: string;
  /** Whether the source's terms let its data be shown to third parties. */
  redistribution: Redistribution;
  /** One sentence on the terms, printed at first start and on the providers page. */
  terms: string;
  /** Where the source states its terms; absent only where there is no network to ask. */
  termsUrl?: string;
  /** Hosts this provider may be asked at; nothing else is fetched for it. */
  hosts: readonly string[];
  limits: SourceLimits;
  /** Settings this provider reads; a live start without a required one is refused with `mend`. */
  settings: readonly ProviderSetting[];
  feeds: readonly Feed[];
  /** Only for a source some of whose addresses answer nobody without one. */
  sessionToken?: SessionTokenConfig;
  /**
   * Only for a source that needs no network: its answers for what became different after `from` up
   * to `to`, oldest observation first; none when nothing did. For `from` null all that is needed
   * from nothing: the present, ending with answers observed at `to`, and then the older past.
   */
  generateResponses?(from: Instant | null, to: Instant): Iterable<SourceResponse>;
}

/**
 * `with-contract`: the source sells the right, and free or personal plans do not hold it.
 * `not-granted`: nobody gives it, so a public service cannot use the source at all.
 */
export type Redistribution =
  | 'public-domain'
  | 'allowed'
  | 'with-contract'
  | 'not-granted'
  | 'synthetic'
  | 'operator';

/**
 * A cookie and a token made out for it, which a source hands to every visitor and then asks for.
 * Both stay in memory: neither is archived or logged.
 */
export interface SessionTokenConfig {
  /** Any answer of this address, whatever its status, brings the cookie. */
  cookieUrl: string;
  /** Asked with the cookie, it answers with the token as bare text. */
  tokenUrl: string;
  headers: Record<string, string>;
  /** The parameter under which the token is sent. */
  parameter: string;
  isNeeded(url: URL): boolean;
  /** Whether the answer says that the pass is worn out; a new one is fetched once then. */
  isExpired(answer: { status: number; text: string }): boolean;
}

export interface ProviderSetting {
  name: string;
  /** Whether a given value will do; any will when absent. */
  accepts?(value: string): boolean;
  required: boolean;
  secret: boolean;
  describe: string;
  fix: string;
}

/** How politely the provider's hosts are asked. All hosts of a provider share one queue. */
export interface SourceLimits {
  intervalMsMin: number;
  timeoutMs: number;
  bodyBytesMax: number;
  /** How long the whole provider rests after a 403 or 429 without `Retry-After`. */
  cooldownMs: number;
}

/** One kind of answer of a provider. */
export interface Feed {
  /** Unique within the provider, kebab-case: `calendar-earnings`. */
  name: string;
  datasets: readonly DatasetName[];
  /** Whether this feed reads that answer: by host and path, content type, and body shape. */
  claims(answer: SourceResponse): boolean;
  /** Untrusted text to rows. Throws `AnswerError` when the answer as a whole is of no use. */
  parse(answer: SourceResponse): ParseResult;
  /** Requests to make when running live, given what is known; absent for feeds read only from files. */
  plan?(context: PlanContext): FeedRequest[];
}

/** One answer of a source, live or recorded. Bodies are decoded text; gzip is undone before. */
export interface SourceResponse {
  url: string;
  host: string;
  /** Path with query, as in the URL. */
  path: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  text: string;
  /** The body as JSON, parsed once; undefined when it is not JSON. */
  json(): unknown;
}

export interface ParseResult<Row extends ParsedRow = ParsedRow> {
  rows: Row[];
  bad: BadRow[];
  /** Days of which the answer names all that the source knows: what it lacks left the source. */
  completeRange?: CompleteRange;
  /** Daily bars: they come by thousands a night and take a way of their own. */
  bars?: BarObservations;
}

/** From one day to another, both included. */
export interface CompleteRange {
  dataset: DatasetName;
  from: LocalDate;
  to: LocalDate;
}

/**
 * One valid row: an observation with its data set, so that `dataset` tells the type of `fields`. The
 * type parameter narrows it to some data sets.
 */
export type ParsedRow<D extends ObservedDataset = ObservedDataset> = {
  [Dataset in D]: RowKey & { dataset: Dataset; fields: FieldsOf<Dataset> };
}[D];

/**
 * The observation, without fields of other data sets: most fields are optional, so that the types
 * alone would accept a dividend as a profile. Key order does not matter.
 */
type FieldsOf<D extends ObservedDataset> = ObservationOf[D] & {
  [Key in Exclude<KeysOf<ObservationOf[ObservedDataset]>, KeysOf<ObservationOf[D]>>]?: never;
};

type KeysOf<T> = T extends unknown ? keyof T : never;

interface RowKey {
  /**
   * The entity key: a canonical symbol (`AAPL`), or `CIK0000320193` where a source keys by CIK. Data
   * sets that are not about securities choose their own: the month (`2026-11`) of an economic event.
   */
  entityKey: string;
  /** Identifies the row within its provider, data set and subject; stable when dates change. */
  naturalKey: string;
  /** Values that change throughout the session; stored outside the versions. */
  quote?: QuoteTick;
}

/** The newest known price facts of a symbol. Null or absent: the source does not say. */
export interface QuoteTick {
  symbol: string;
  price?: string | null;
  priceDate?: LocalDate | null;
  marketCap?: string | null;
}

/** One bad row: kept whole with its reason, never dropped. */
export interface BadRow {
  dataset: DatasetName;
  entityKey: string | null;
  /** Kebab-case, countable: `bad-symbol`, `bad-date`, `bad-number`, `missing-field`. */
  reason: string;
  detail: string;
  row: unknown;
  /** What it says, where it can be read and only a rule keeps it out: an operator may let it in. */
  parsed?: ParsedRow;
}

export interface PlanContext {
  now: Instant;
  today: LocalDate;
  /** Canonical symbol to CIK (ten digits) of the securities known so far. */
  ciks: ReadonlyMap<string, string>;
  /** Symbols that reported lately and whose result is not known yet. */
  symbolsAwaitingResult?: readonly string[];
  /** Pages of results filings whose time of acceptance only the page itself can settle. */
  unverifiedFilingUrls?: readonly string[];
  setting(name: string): string | undefined;
}

export interface FeedRequest {
  url: string;
  headers: Record<string, string>;
}

/**
 * The answer as a whole cannot be read: the source is ill, blocks us, or has no such thing; or it is
 * sound and nothing in it is wanted here (`unsupported`), which the reason then says why.
 */
export class SourceResponseError extends Error {
  readonly kind: 'damaged' | 'error-answer' | 'blocked' | 'not-found' | 'unsupported';
  /** Kebab-case and countable, such as `not-json`, `html-instead-of-json`, `provider-error`. */
  readonly reason: string;

  constructor(kind: SourceResponseError['kind'], reason: string, detail: string) {
    super(detail);
    this.name = 'AnswerError';
    this.kind = kind;
    this.reason = reason;
  }
}
