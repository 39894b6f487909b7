import { type LocalDate, parseLocalDate } from '../../../domain/local-date.ts';
import type { Instant } from '../../../platform/instant.ts';
import {
  filingDateOf,
  writeDailyIndex,
  writeFeed,
  writeHeader,
  writeIndexPage,
} from './edgar-pages.ts';
import type { SimulatedFiling } from './filing.ts';

/** A response of the simulated EDGAR, or none at all for a request that hangs. */
export type EdgarReply = { status: number; contentType: string; body: string } | 'hang';

/**
 * Misbehavior of the feed: it never responds, is cut in the middle, sends its first page for every
 * page, reorders its rows, refuses as to a client that is too fast or undeclared, or is out of service.
 */
export type FeedFault =
  | 'hang'
  | 'cut'
  | 'repeat'
  | 'shuffle'
  | 'refused'
  | 'undeclared'
  | 'unavailable';

export interface EdgarFaults {
  feed: FeedFault | null;
  /** The feed shows nothing newer than this; null if it does not stall. */
  shownUntil: Instant | null;
  /** Returns whether the feed never shows a filing that the daily index has. */
  isHidden(accession: string): boolean;
}

export const NO_FAULTS: EdgarFaults = { feed: null, shownUntil: null, isHidden: () => false };

/** The contents of a simulated EDGAR. */
export interface EdgarContents {
  /** Returns the filings that the feed may show at this time, in any order. */
  current(now: Instant): readonly SimulatedFiling[];
  filedOn(day: LocalDate): readonly SimulatedFiling[];
  find(accession: string): SimulatedFiling | undefined;
  /** Returns a JSON page, such as a list of companies or the filings of one; null if there is none. */
  page(url: URL, now: Instant): object | null;
}

const HTML = 'text/html';
const NO_SUCH_KEY: EdgarReply = {
  status: 404,
  contentType: 'application/xml',
  body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code></Error>',
};
/** EDGAR answers a page beyond the end of the feed with the same page as an outage. */
const MAINTENANCE = htmlPage(503, 'File Unavailable');
export const UNDECLARED = htmlPage(
  403,
  'Your Request Originates from an Undeclared Automated Tool',
);
export const TOO_FAST = htmlPage(403, 'Request Rate Threshold Exceeded');

/** Answers a request to EDGAR's hosts. */
export function serveEdgar(
  contents: EdgarContents,
  url: URL,
  { now, faults = NO_FAULTS }: { now: Instant; faults?: EdgarFaults },
): EdgarReply {
  const { pathname } = url;
  if (pathname === '/cgi-bin/browse-edgar') return serveFeed(contents, url, { now, faults });
  const [, day] = /\/daily-index\/\d{4}\/QTR\d\/form\.(\d{8})\.idx$/.exec(pathname) ?? [];
  if (day !== undefined) return serveDailyIndex(contents, day, now);
  const page = contents.page(url, now);
  if (page !== null) {
    return { status: 200, contentType: 'application/json', body: JSON.stringify(page) };
  }
  return serveDocument(contents, pathname, now);
}

function serveFeed(
  contents: EdgarContents,
  { searchParams }: URL,
  { now, faults }: { now: Instant; faults: EdgarFaults },
): EdgarReply {
  if (faults.feed === 'hang') return 'hang';
  if (faults.feed === 'refused') return TOO_FAST;
  if (faults.feed === 'undeclared') return UNDECLARED;
  if (faults.feed === 'unavailable') return MAINTENANCE;
  const type = searchParams.get('type') ?? '';
  const until = Math.min(now, faults.shownUntil ?? Infinity);
  const listed = contents
    .current(now)
    .filter(({ acceptedAt, shownAt = acceptedAt }) => shownAt <= until)
    .filter(({ accession, form }) => form.startsWith(type) && !faults.isHidden(accession))
    .toSorted((a, b) => b.acceptedAt - a.acceptedAt || (a.accession < b.accession ? 1 : -1));
  const start = faults.feed === 'repeat' ? 0 : Number(searchParams.get('start') ?? 0);
  if (start > 0 && start >= listed.length) return MAINTENANCE;
  const rows = listed.slice(start, start + Number(searchParams.get('count') ?? 40));
  if (faults.feed === 'shuffle') rows.sort((a, b) => hash(a.accession) - hash(b.accession));
  const text = writeFeed(rows, now);
  const body = faults.feed === 'cut' ? text.slice(0, Math.floor(text.length * 0.6)) : text;
  return { status: 200, contentType: 'application/atom+xml', body };
}

function serveDailyIndex(contents: EdgarContents, digits: string, now: Instant): EdgarReply {
  const day = parseLocalDate(digits.replace(/^(\d{4})(\d\d)/, '$1-$2-'));
  const filings = day === null ? [] : contents.filedOn(day);
  const accepted = filings.filter(({ acceptedAt }) => acceptedAt <= now);
  if (accepted.length === 0) return NO_SUCH_KEY;
  return { status: 200, contentType: 'text/plain', body: writeDailyIndex(accepted) };
}

function serveDocument(contents: EdgarContents, pathname: string, now: Instant): EdgarReply {
  const [, digits = '', file = ''] = /\/data\/\d+\/(\d{18})\/([^/]+)$/.exec(pathname) ?? [];
  const filing = contents.find(digits.replace(/^(\d{10})(\d\d)/, '$1-$2-'));
  if (filing === undefined || filing.acceptedAt > now) return NO_SUCH_KEY;
  if (/-index\.html?$/.test(file)) return page(200, writeIndexPage(filing));
  if (file === `${filing.accession}.hdr.sgml`) return page(200, writeHeader(filing));
  if (file === 'main.htm') return page(200, coverOf(filing));
  const exhibit = filing.exhibits.find(({ filename }) => filename === file);
  return exhibit === undefined ? NO_SUCH_KEY : page(200, exhibit.body);
}

function coverOf({ form, name, items }: SimulatedFiling): string {
  const titles = items.map((item) => `<p>Item ${item}</p>`).join('');
  return `<html><body><p>FORM ${form}</p><p>${name}</p>${titles}<p>See the exhibits.</p></body></html>`;
}

/** Returns the daily index's filings of a day from a list. */
export function filedOn(filings: readonly SimulatedFiling[], day: LocalDate): SimulatedFiling[] {
  return filings.filter((filing) => filingDateOf(filing) === day);
}

function htmlPage(status: number, title: string): EdgarReply {
  return page(
    status,
    `<!DOCTYPE html>\n<html><head><title>SEC.gov | ${title}</title></head><body><h1>${title}</h1></body></html>`,
  );
}

function page(status: number, body: string): EdgarReply {
  return { status, contentType: HTML, body };
}

function hash(text: string): number {
  return [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7);
}
