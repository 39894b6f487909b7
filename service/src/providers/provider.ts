import type { DocumentExcerpt } from './document-excerpt.ts';
import type { BarObservations } from '../datasets/bars/observation.ts';
import type { AwaitedFigure } from '../datasets/economic-events/awaited-figures.ts';
import type { StatedReleases } from '../datasets/economic-events/compare-releases.ts';
import type { DatasetName, ObservationOf, ObservedDataset } from '../datasets/observations.ts';
import type { Ranks } from '../datasets/rank.ts';
import type { Times } from '../domain/market/due-times.ts';
import type { StatedSchedule } from '../domain/market/compare-schedule.ts';
import type { Instant } from '../platform/instant.ts';
import type { SourceLimits } from '../platform/source-client.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { FilingFollower } from './filing-follower.ts';
import type { InvalidCell } from './kit/row-error.ts';

/** Name of a data set, which is a folder in `datasets/` that exports a `dataset`. */
export type { DatasetName };

/**
 * A data source. Each provider has its own folder with an `index.ts` that exports this object as
 * `provider`, one file per feed, hand-written `fixtures/` and a `readme.md`.
 */
export interface Provider {
  name: string;
  title: string;
  /** The data, in a few words. */
  provides: string;
  homepage: string;
  /** Right to redistribute the data, according to the source's terms. */
  redistribution: Redistribution;
  /** One-sentence summary of the terms, printed at first start and on the providers page. */
  terms: string;
  /** URL of the terms; absent only for sources without a network. */
  termsUrl?: string;
  /** The only hosts contacted for this provider. */
  hosts: readonly string[];
  limits: SourceLimits;
  /**
   * Settings that this provider reads. Live ingestion refuses to start if a required setting is
   * missing.
   */
  settings: readonly ProviderSetting[];
  feeds: readonly Feed[];
  /** Ranks of all feeds that declare none for a value. */
  ranks?: Ranks;
  /** Set for a source that lists filings as they are published. */
  follower?: FilingFollower;
  /** Set for a source with pages about single companies, which can be fetched first. */
  companyFeeds?: CompanyFeeds;
  /** Returns the limits that the operator chose; absent if `limits` are the only ones. */
  limitsOf?(setting: (name: string) => string | undefined): SourceLimits;
  /** Advice to the operator if the source refuses requests. */
  whenRefused?: string;
  /** Set only if some of the source's URLs require a session token. */
  sessionToken?: SessionTokenConfig;
  /**
   * True for a source whose past is simulated: data in the first responses counts as known to this
   * service since its observation.
   */
  hasSimulatedPast?: boolean;
  /**
   * Set only for a source without a network. Returns responses with all changes after `from` and up
   * to `to`, oldest observation first, or no responses if nothing changed. If `from` is null,
   * returns the initial data: current data first, ending with responses observed at `to`, then the
   * history.
   */
  generateResponses?(from: Instant | null, to: Instant): Iterable<SourceResponse>;
}

/** The feeds with all of a source's data about one company. */
export interface CompanyFeeds {
  /** The list of all companies. */
  list: TitledFeed;
  /** Pages about one company, in the order in which they are fetched. */
  pages: readonly TitledFeed[];
}

interface TitledFeed {
  feed: string;
  /** A noun for operators, such as `filings`. */
  title: string;
}

/**
 * `with-contract`: the source sells the right, but free and personal plans do not include it.
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
 * A cookie and a matching token (crumb) that a source gives to every visitor and then requires.
 * Both stay in memory and are never archived or logged.
 */
export interface SessionTokenConfig {
  /** Any response from this URL sets the cookie, regardless of status. */
  cookieUrl: string;
  /** Requested with the cookie; returns the token as plain text. */
  tokenUrl: string;
  headers: Record<string, string>;
  /** Query parameter that contains the token. */
  parameter: string;
  isNeeded(url: URL): boolean;
  /**
   * Set for a source that asks some visitors for consent before it issues a token. Its form is only
   * submitted if the setting has this value, because only the operator can consent.
   */
  consent?: { setting: string; value: string; formUrl: string };
  /**
   * Returns true if the response indicates that the token expired. A new token is then fetched
   * once.
   */
  isExpired(response: { status: number; text: string }): boolean;
}

export interface ProviderSetting {
  name: string;
  /** Validates a value. If absent, any value is accepted. */
  accepts?(value: string): boolean;
  required: boolean;
  secret: boolean;
  describe: string;
  fix: string;
}

/** Reads one kind of response from a provider. */
export interface Feed {
  /** Unique within the provider, in kebab case: `calendar-earnings`. */
  name: string;
  datasets: readonly DatasetName[];
  /**
   * Returns true if this feed reads the response, judging by host and path, content type and body
   * structure.
   */
  claims(response: SourceResponse): boolean;
  /**
   * Parses untrusted text into rows. Throws `SourceResponseError` if the whole response is
   * unusable.
   */
  parse(response: SourceResponse): ParseResult;
  /**
   * Returns the part of a document around the value at an offset, which `parse` found in the same
   * document; null if there is none. Absent for feeds whose responses are data.
   */
  excerpt?(response: SourceResponse, offset: number): DocumentExcerpt | null;
  /**
   * True for the feed whose first request shows best whether the source works. By default it is the
   * feed with the fewest requests.
   */
  isProbe?: boolean;
  /** Ranks among all sources. Values without a rank give way to those of most others. */
  ranks?: Ranks;
  /** Runs of live ingestion. By default, `plan` is requested once a night, for `reporters`. */
  schedule?: readonly FeedRun[];
  /** Returns the requests for live ingestion; absent for feeds that only read files. */
  plan?(context: PlanContext): FeedRequest[];
}

/** A scheduled run of a feed. */
export interface FeedRun {
  /** Unique within the feed. It identifies stored progress, so it must not change. */
  name: string;
  times: Times;
  scope: Scope;
  /** `routine` by default. */
  priority?: Priority;
  /** Limits requests to those whose `date=` or `from=` is in this range of days from today. */
  days?: readonly [from: number, to: number];
  /**
   * Makes each planned request once within this many days, an even part of them each night. The URL
   * of a request must not depend on the day.
   */
  everyDays?: number;
}

/** Companies to fetch: all known companies, or only the ones that report now. */
export type Scope = 'all' | 'reporters';

/**
 * Decides which requests use a source's budget first. `prompt` requests lose their value within
 * the hour, such as today's calendar. `spare` requests are for one company each: there are
 * thousands, and any time of the night will do. All others are `routine`.
 */
export type Priority = 'prompt' | 'routine' | 'spare';

/** A live or recorded response from a source. The body is decoded and decompressed text. */
export interface SourceResponse {
  url: string;
  host: string;
  /** Path with query, as in the URL. */
  path: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  text: string;
  /** Returns the body as JSON, which is parsed once; undefined if it is not JSON. */
  json(): unknown;
}

export interface ParseResult<Row extends ParsedRow = ParsedRow> {
  rows: Row[];
  bad: BadRow[];
  /**
   * Date range that the response covers completely. A known row in this range was withdrawn if it
   * is missing.
   */
  completeRange?: CompleteRange;
  /** Daily bars. Thousands of them arrive every night, so they are ingested separately. */
  bars?: BarObservations;
  /**
   * The market schedule that the source states. It is compared with the computed one and never used.
   */
  marketSchedule?: StatedSchedule;
  /**
   * The days of economic releases that the source states. They are compared with those of the
   * agencies and never used.
   */
  releaseDates?: StatedReleases;
}

/** An inclusive date range. */
export interface CompleteRange {
  dataset: DatasetName;
  from: LocalDate;
  to: LocalDate;
}

/**
 * A valid row: an observation with its data set. `dataset` determines the type of `fields`. The
 * type parameter can restrict it to some data sets.
 */
export type ParsedRow<D extends ObservedDataset = ObservedDataset> = {
  [Dataset in D]: RowKey & { dataset: Dataset; fields: FieldsOf<Dataset> };
}[D];

/**
 * The observation, without fields from other data sets. Most fields are optional, so without this
 * type a dividend would also be accepted as a profile. Key order does not matter.
 */
type FieldsOf<D extends ObservedDataset> = ObservationOf[D] & {
  [Key in Exclude<KeysOf<ObservationOf[ObservedDataset]>, KeysOf<ObservationOf[D]>>]?: never;
};

type KeysOf<T> = T extends unknown ? keyof T : never;

interface RowKey {
  /**
   * A canonical symbol (`AAPL`), or `CIK0000320193` if the source identifies companies by CIK. Data
   * sets that are not about securities define their own keys, such as the month (`2026-11`) for an
   * economic event.
   */
  entityKey: string;
  /**
   * Identifies the row within its provider, data set and entity, and stays the same when dates
   * change.
   */
  naturalKey: string;
  /**
   * Values that change throughout the session and are stored separately from the versioned rows.
   */
  quote?: QuoteTick;
  /** Line of an operator's file on which the row begins. */
  line?: number;
}

/**
 * The latest price data for a symbol. Values that the source did not provide are null or absent.
 */
export interface QuoteTick {
  symbol: string;
  price?: string | null;
  priceDate?: LocalDate | null;
  marketCap?: string | null;
}

/** An invalid row, which is kept in full with its reason and never dropped. */
export interface BadRow {
  dataset: DatasetName;
  entityKey: string | null;
  /**
   * A code in kebab case, used for counting: `bad-symbol`, `bad-date`, `bad-number`,
   * `missing-field`.
   */
  reason: string;
  detail: string;
  row: unknown;
  /** Line of an operator's file on which the row begins. */
  line?: number;
  /** The cell of an operator's file that made the row invalid. */
  cell?: InvalidCell;
  /**
   * The parsed row, set only if the row is readable but violates a rule; an operator may accept it.
   */
  parsed?: ParsedRow;
}

export interface PlanContext {
  now: Instant;
  today: LocalDate;
  /** Canonical symbols of the known companies, from the lists of all sources. */
  symbols: readonly string[];
  /** CIKs (ten digits) by canonical symbol, of the known companies that file with the SEC. */
  ciks: ReadonlyMap<string, string>;
  /** Symbols with a recent report whose result is not yet known. */
  symbolsAwaitingResult?: readonly string[];
  /** Symbols with a report in the coming week, largest companies first. */
  symbolsReportingSoon?: readonly string[];
  /** Due releases of well-known economic events in recent weeks, with the provider of each figure. */
  awaitedFigures?: readonly AwaitedFigure[];
  /** Index pages for results filings whose acceptance time can only be confirmed by the page. */
  unverifiedFilingUrls?: readonly string[];
  setting(name: string): string | undefined;
}

export interface FeedRequest {
  url: string;
  headers: Record<string, string>;
  /** The default is GET. A feed plans at most one request for each URL. */
  method?: 'POST';
  body?: string;
}

/**
 * Thrown if the whole response is unusable: the source has an error, blocks this service, or has no
 * such data. `unsupported` means that the response is valid but contains nothing to ingest, as
 * stated in `reason`.
 */
export class SourceResponseError extends Error {
  readonly kind: 'damaged' | 'error-answer' | 'blocked' | 'not-found' | 'unsupported';
  /**
   * A code in kebab case, used for counting, such as `not-json`, `html-instead-of-json` or
   * `provider-error`.
   */
  readonly reason: string;

  constructor(kind: SourceResponseError['kind'], reason: string, detail: string) {
    super(detail);
    this.name = 'AnswerError';
    this.kind = kind;
    this.reason = reason;
  }
}
