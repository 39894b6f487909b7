import { weekdayOf, type LocalDate, monthOf, yearOf } from '../../domain/local-date.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type {
  FilingDocuments,
  FilingFollower,
  FilingsPage,
  ListedFiling,
} from '../filing-follower.ts';
import { type ProviderSetting, type SourceResponse, SourceResponseError } from '../provider.ts';
import { mergeFeedRows, readCurrentFeed } from './current-feed.ts';
import { edgarRequest, filingFolderUrl, filingIndexUrl, WWW_HOST } from './edgar.ts';
import { parseNewYorkAcceptance } from './filings/acceptance-text.ts';
import { readForeignReports } from './filings/foreign-reports.ts';
import { type FiledDocument, readIndexPage } from './filings/index-page.ts';
import { isForeignReport, isResultsFiling } from './filings/results-filing.ts';
import { isFormIndex, readFormIndex } from './form-index.ts';
import { rejectErrorResponse } from './response-body.ts';

/** `type=` matches prefixes, so other forms are in the lists too. */
const FOLLOWED = /^(?:8-K|6-K|10-KT?|10-QT?)(?:\/A)?$/;
const POLL_SECONDS = 2;
const POLL_SECONDS_MAX = 300;
const HOUR_MS = 3_600_000;
const EXHIBITS_MAX = 6;
/** A foreign company reports anything on a 6-K, mostly without a table of results. */
const RESULTS_TEXT =
  /\b(?:per (?:\w+ ){0,3}(?:share|ads)|quarter|three months|six months|nine months|half[- ]year|full[- ]year|year ended|interim (?:results|report))\b/i;

export const FEED_SECONDS_SETTING: ProviderSetting = {
  name: 'SEC_FEED_SECONDS',
  required: false,
  secret: false,
  describe: `Seconds between two looks at EDGAR's feed of current filings, 1 to ${POLL_SECONDS_MAX}. Default: ${POLL_SECONDS}.`,
  fix: `set SEC_FEED_SECONDS to a whole number from 1 to ${POLL_SECONDS_MAX}, or remove it`,
  accepts: (value) =>
    /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= POLL_SECONDS_MAX,
};

/** Follows EDGAR's feed of current filings and its daily index. */
export const follower: FilingFollower = {
  lists: [
    { name: '8-K', everyPolls: 1 },
    { name: '6-K', everyPolls: 2 },
    { name: '10-Q', everyPolls: 30 },
    { name: '10-K', everyPolls: 30 },
  ],
  pageRows: 100,
  rowsMax: 2000,
  pollMs: ({ setting }) => Number(setting(FEED_SECONDS_SETTING.name) ?? POLL_SECONDS) * 1000,
  isOpen,
  pageRequest(list, start, context) {
    const query = `action=getcurrent&type=${list}&owner=include&count=100&start=${start}&output=atom`;
    return edgarRequest(`https://${WWW_HOST}/cgi-bin/browse-edgar?${query}`, context);
  },
  readPage,
  // The head has the time of the request.
  rowsOf: (text) => text.slice(Math.max(0, text.indexOf('<entry'))),
  indexMinute: 22 * 60 + 15,
  indexRequest: (day, context) => edgarRequest(dailyIndexUrl(day), context),
  readIndex,
  mayStateResults: ({ form, items, acceptedAt }) =>
    isForeignReport(form) ||
    (form.startsWith('8-K') && (items === null || isResultsFiling(form, items, dayOf(acceptedAt)))),
  readPossibleResults: readForeignReports,
  documentsRequest: ({ cik, accession }, context) =>
    edgarRequest(filingIndexUrl(cik, accession), context),
  readDocuments,
  exhibitRequest: (url, context) => edgarRequest(url, context),
  isPromising: ({ text }, { form }) => !isForeignReport(form) || RESULTS_TEXT.test(text),
};

/** EDGAR accepts filings from 06:00 to 22:00 New York time on business days. */
function isOpen(now: Instant): boolean {
  const weekday = weekdayOf(newYorkDate(now));
  const hour = newYorkTimeOfDayMs(now) / HOUR_MS;
  // The last filings appear some minutes after they were accepted.
  return weekday >= 1 && weekday <= 5 && hour >= 6 && hour < 22.25;
}

function readPage(response: SourceResponse): FilingsPage {
  rejectErrorResponse(response);
  if (!/<feed[\s>]/.test(response.text.slice(0, 1000))) {
    throw new SourceResponseError('damaged', 'not-a-feed', response.url);
  }
  const { rows, bad } = readCurrentFeed(response.text);
  return {
    filings: mergeFeedRows(rows).filter(({ form }) => FOLLOWED.test(form)),
    acceptedAts: rows.map(({ acceptedAt }) => acceptedAt),
    rowCount: rows.length + bad.length,
    isComplete: response.text.includes('</feed>'),
  };
}

function dailyIndexUrl(day: LocalDate): string {
  const quarter = Math.ceil(monthOf(day) / 3);
  const folder = `daily-index/${yearOf(day)}/QTR${quarter}`;
  return `https://${WWW_HOST}/Archives/edgar/${folder}/form.${day.replaceAll('-', '')}.idx`;
}

function readIndex(response: SourceResponse): ListedFiling[] {
  rejectErrorResponse(response);
  if (!isFormIndex(response.text)) {
    throw new SourceResponseError('damaged', 'not-an-index', response.url);
  }
  const filings = new Map<string, ListedFiling>();
  for (const { accession, cik, form } of readFormIndex(response.text).rows) {
    if (!FOLLOWED.test(form) || filings.has(accession)) continue;
    filings.set(accession, { accession, cik, form, items: null, acceptedAt: null });
  }
  return [...filings.values()];
}

function readDocuments(response: SourceResponse, filing: ListedFiling): FilingDocuments {
  rejectErrorResponse(response);
  const page = readIndexPage(response.text);
  const acceptedAt = parseNewYorkAcceptance(page.accepted ?? '');
  if (acceptedAt === null || page.documents.length === 0) {
    throw new SourceResponseError('damaged', 'incomplete-index-page', response.url);
  }
  const { items, documents } = page;
  const known = { ...filing, items: items ?? filing.items, acceptedAt };
  const exhibits = follower.mayStateResults(known) ? exhibitsOf(documents) : [];
  const folder = filingFolderUrl(filing.cik, filing.accession);
  return { items, acceptedAt, exhibits: exhibits.map(({ filename }) => `${folder}/${filename}`) };
}

/** Exhibits 99 in their order, then the main document, which holds the news if no exhibit does. */
function exhibitsOf(documents: readonly FiledDocument[]): FiledDocument[] {
  const pages = documents.filter(({ filename }) => /\.html?$/i.test(filename));
  const exhibits = pages
    .filter(({ type }) => /^EX-99(?:\.|$)/.test(type))
    .toSorted((a, b) => exhibitNumber(a) - exhibitNumber(b));
  const main = pages.filter(({ type }) => FOLLOWED.test(type)).slice(0, 1);
  return [...exhibits.slice(0, EXHIBITS_MAX), ...main];
}

function exhibitNumber({ type }: FiledDocument): number {
  return Number(/^EX-99\.(\d+)/.exec(type)?.[1] ?? 1);
}

function dayOf(acceptedAt: Instant | null): LocalDate | null {
  return acceptedAt === null ? null : newYorkDate(acceptedAt);
}
