import type { LocalDate } from '../domain/local-date.ts';
import type { Instant } from '../platform/instant.ts';
import type { FeedRequest, PlanContext, SourceResponse } from './provider.ts';

/** A filing in a list of the newest filings, or in the index of a day. */
export interface ListedFiling {
  accession: string;
  cik: string;
  form: string;
  /** Item numbers; null if the list does not name them. */
  items: readonly string[] | null;
  /** Null if the list has no time of day. */
  acceptedAt: Instant | null;
}

/** A filing in a page about one company. */
export interface DatedFiling extends ListedFiling {
  filingDate: LocalDate;
}

/** A page of a list, newest filings first. */
export interface FilingsPage {
  /** Each filing of the followed forms once. */
  filings: ListedFiling[];
  /** Acceptance time of every row of the page, of any form. */
  acceptedAts: Instant[];
  /** Number of rows, including those that could not be read. */
  rowCount: number;
  /** False if the page was cut off. */
  isComplete: boolean;
}

/** The documents of a filing, as its index page lists them. */
export interface FilingDocuments {
  items: readonly string[] | null;
  acceptedAt: Instant | null;
  /** URLs of the documents that may state results, the likeliest first. */
  exhibits: string[];
}

export interface FollowedList {
  name: string;
  /** The list is read at every nth poll. */
  everyPolls: number;
}

type Settings = Pick<PlanContext, 'setting'>;

/**
 * Knows how a source lists its newest filings and where their documents are. Every method is pure.
 * Methods that read a response throw `SourceResponseError` if it is unusable.
 */
export interface FilingFollower {
  lists: readonly FollowedList[];
  /** Rows of a full page. */
  pageRows: number;
  /** A list has no more than this many rows. */
  rowsMax: number;
  pollMs(settings: Settings): number;
  /** Returns whether new filings may appear at this time. */
  isOpen(now: Instant): boolean;
  pageRequest(list: string, start: number, settings: Settings): FeedRequest;
  readPage(response: SourceResponse): FilingsPage;
  /** Returns the part of a page that changes only with its rows. */
  rowsOf(text: string): string;
  /** The index of a day lists everything that was filed on it, after this minute of that day. */
  indexMinute: number;
  indexRequest(day: LocalDate, settings: Settings): FeedRequest;
  readIndex(response: SourceResponse): ListedFiling[];
  /** Returns whether the documents of a filing may state results. */
  mayStateResults(filing: ListedFiling): boolean;
  /**
   * Returns the filings in a page about one company that may state results, although their forms
   * and items do not show it, newest first. Does not throw.
   */
  readPossibleResults(page: SourceResponse): DatedFiling[];
  documentsRequest(filing: ListedFiling, settings: Settings): FeedRequest;
  readDocuments(response: SourceResponse, filing: ListedFiling): FilingDocuments;
  exhibitRequest(url: string, settings: Settings): FeedRequest;
  /** Returns whether an exhibit may state results. Forms for any kind of news have many that do not. */
  isPromising(exhibit: SourceResponse, filing: ListedFiling): boolean;
}
