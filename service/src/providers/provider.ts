import type { BarObservations } from '../datasets/bars/observation.ts';
import type { DatasetName, ObservationOf, ObservedDataset } from '../datasets/observations.ts';
import type { Instant } from '../platform/instant.ts';
import type { LocalDate } from '../domain/local-date.ts';

/** Name of a data set: a folder of `datasets/` that exports a `dataset`. */
export type { DatasetName };

/**
 * A data source. Each provider has one folder: `index.ts` exports this object as `provider`, with
 * one file per feed, hand-written `fixtures/` and a `readme.md`.
 */
export interface Provider {
  name: string;
  title: string;
  homepage: string;
  /** Right to show the data to third parties, according to the terms. */
  redistribution: Redistribution;
  /** Summary of the terms in a sentence, printed at first start and on the providers page. */
  terms: string;
  /** URL of the terms; absent only for sources without a network. */
  termsUrl?: string;
  /** The only hosts that are contacted for this provider. */
  hosts: readonly string[];
  limits: SourceLimits;
  /** Settings this provider reads; live ingestion refuses to start without the required ones. */
  settings: readonly ProviderSetting[];
  feeds: readonly Feed[];
  /** Set only if some URLs of the source require a session token. */
  sessionToken?: SessionTokenConfig;
  /**
   * Set only for a source without a network. Returns responses with everything that changed after
   * `from` and up to `to`, oldest observation first; none if nothing changed. If `from` is null, it
   * returns the initial data set: current data first, ending with responses observed at `to`, then
   * the history.
   */
  generateResponses?(from: Instant | null, to: Instant): Iterable<SourceResponse>;
}

/**
 * `with-contract`: the source sells the right, which free and personal plans do not include.
 * `not-granted`: the right is not for sale, so a public service cannot use the source.
 */
export type Redistribution =
  | 'public-domain'
  | 'allowed'
  | 'with-contract'
  | 'not-granted'
  | 'synthetic'
  | 'operator';

/**
 * A cookie and a matching token (crumb) that a source hands to every visitor and then requires.
 * Both stay in memory: neither is archived or logged.
 */
export interface SessionTokenConfig {
  /** Any response of this URL sets the cookie, whatever its status. */
  cookieUrl: string;
  /** Requested with the cookie; returns the token as plain text. */
  tokenUrl: string;
  headers: Record<string, string>;
  /** Query parameter that carries the token. */
  parameter: string;
  isNeeded(url: URL): boolean;
  /** True if the response says that the token expired; a new one is then fetched once. */
  isExpired(response: { status: number; text: string }): boolean;
}

export interface ProviderSetting {
  name: string;
  /** Validates a value; any value is accepted if absent. */
  accepts?(value: string): boolean;
  required: boolean;
  secret: boolean;
  describe: string;
  fix: string;
}

/** Request limits. All hosts of a provider share one queue. */
export interface SourceLimits {
  intervalMsMin: number;
  timeoutMs: number;
  bodyBytesMax: number;
  /** Pause for the whole provider after a 403 or 429 without `Retry-After`. */
  cooldownMs: number;
}

/** A kind of response of a provider. */
export interface Feed {
  /** Unique within the provider, kebab-case: `calendar-earnings`. */
  name: string;
  datasets: readonly DatasetName[];
  /** True if this feed reads the response, judged by host and path, content type and body shape. */
  claims(response: SourceResponse): boolean;
  /**
   * Turns untrusted text into rows. Throws `SourceResponseError` if the whole response is unusable.
   */
  parse(response: SourceResponse): ParseResult;
  /** Requests to make during live ingestion; absent for feeds that only read files. */
  plan?(context: PlanContext): FeedRequest[];
}

/** A response of a source, live or recorded. Bodies are decoded and decompressed text. */
export interface SourceResponse {
  url: string;
  host: string;
  /** Path with query, as in the URL. */
  path: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  text: string;
  /** The body as JSON, parsed once; undefined if it is not JSON. */
  json(): unknown;
}

export interface ParseResult<Row extends ParsedRow = ParsedRow> {
  rows: Row[];
  bad: BadRow[];
  /** Date range that the response covers completely; missing rows were withdrawn. */
  completeRange?: CompleteRange;
  /** Daily bars. They arrive by the thousands every night and are ingested separately. */
  bars?: BarObservations;
}

/** A date range, both ends included. */
export interface CompleteRange {
  dataset: DatasetName;
  from: LocalDate;
  to: LocalDate;
}

/**
 * A valid row: an observation with its data set, so that `dataset` determines the type of `fields`.
 * The type parameter narrows it to some data sets.
 */
export type ParsedRow<D extends ObservedDataset = ObservedDataset> = {
  [Dataset in D]: RowKey & { dataset: Dataset; fields: FieldsOf<Dataset> };
}[D];

/**
 * The observation, without fields of other data sets: most fields are optional, so the types alone
 * would accept a dividend as a profile. Key order does not matter.
 */
type FieldsOf<D extends ObservedDataset> = ObservationOf[D] & {
  [Key in Exclude<KeysOf<ObservationOf[ObservedDataset]>, KeysOf<ObservationOf[D]>>]?: never;
};

type KeysOf<T> = T extends unknown ? keyof T : never;

interface RowKey {
  /**
   * A canonical symbol (`AAPL`), or `CIK0000320193` if the source identifies companies by CIK. Data
   * sets that are not about securities choose their own, such as the month (`2026-11`) of an
   * economic event.
   */
  entityKey: string;
  /** Identifies the row within its provider, data set and entity; stable when dates change. */
  naturalKey: string;
  /** Values that change throughout the session; stored outside the versions. */
  quote?: QuoteTick;
}

/** The latest price data of a symbol. Null or absent: not provided. */
export interface QuoteTick {
  symbol: string;
  price?: string | null;
  priceDate?: LocalDate | null;
  marketCap?: string | null;
}

/** An invalid row, kept in full with its reason and never dropped. */
export interface BadRow {
  dataset: DatasetName;
  entityKey: string | null;
  /** Countable code in kebab case: `bad-symbol`, `bad-date`, `bad-number`, `missing-field`. */
  reason: string;
  detail: string;
  row: unknown;
  /** The parsed row, if only a rule rejects it; an operator may accept it. */
  parsed?: ParsedRow;
}

export interface PlanContext {
  now: Instant;
  today: LocalDate;
  /** Canonical symbol to CIK (ten digits) of the known securities. */
  ciks: ReadonlyMap<string, string>;
  /** Symbols with a recent report whose result is not known yet. */
  symbolsAwaitingResult?: readonly string[];
  /** Index pages of results filings whose acceptance time only the page can confirm. */
  unverifiedFilingUrls?: readonly string[];
  setting(name: string): string | undefined;
}

export interface FeedRequest {
  url: string;
  headers: Record<string, string>;
}

/**
 * The whole response is unusable: the source has an error, blocks us, or has no such data.
 * `unsupported` means that it is valid but holds nothing to ingest; `reason` says why.
 */
export class SourceResponseError extends Error {
  readonly kind: 'damaged' | 'error-answer' | 'blocked' | 'not-found' | 'unsupported';
  /** Countable code in kebab case, such as `not-json`, `html-instead-of-json`, `provider-error`. */
  readonly reason: string;

  constructor(kind: SourceResponseError['kind'], reason: string, detail: string) {
    super(detail);
    this.name = 'AnswerError';
    this.kind = kind;
    this.reason = reason;
  }
}
