import type { Clock } from '../../../src/platform/clock.ts';
import type { SimulatedFiling } from '../../../src/providers/sandbox/edgar/filing.ts';
import {
  type EdgarFaults,
  type EdgarReply,
  filedOn,
  NO_FAULTS,
  serveEdgar,
  TOO_FAST,
  UNDECLARED,
} from '../../../src/providers/sandbox/edgar/serve-edgar.ts';
import { writeRelease } from '../../../src/providers/sandbox/edgar/release-layouts.ts';
import { localDate } from '../../../src/domain/local-date.ts';
import { type HostReply, type ScriptedHost, scriptedHost } from './scripted-host.ts';

/** A filing of a fictional company. */
export type ScriptedFiling = SimulatedFiling;

/** Current misbehavior of EDGAR. */
export interface ScriptedFaults extends Pick<EdgarFaults, 'feed' | 'shownUntil'> {
  /** The next requests for documents respond 404, as for pages that are not there yet. */
  missingDocuments: number;
  /** Accession numbers that the feed never shows, though the daily index has them. */
  hidden: Set<string>;
}

const EMAIL = /[^\s@(]+@[^\s@]+\.[^\s@)]+/;
const BLOCKED_MS = 10 * 60_000;
const NOT_THERE_YET: HostReply = { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };

export interface EdgarHost extends ScriptedHost {
  filings: ScriptedFiling[];
  /** Bodies of further JSON pages by URL, such as lists of companies and pages about one. */
  pages: Map<string, object>;
  faults: ScriptedFaults;
  /** Most requests in any second. */
  peakPerSecond(): number;
}

/**
 * The simulated EDGAR with filings and pages of a test. It refuses clients without an e-mail address
 * and more than ten requests in a second, as the real one does.
 */
export function edgarHost(clock: Clock, filings: ScriptedFiling[] = []): EdgarHost {
  const faults: ScriptedFaults = { ...NO_FAULTS, missingDocuments: 0, hidden: new Set() };
  const pages = new Map<string, object>();
  const contents = {
    current: () => filings,
    filedOn: (day: ReturnType<typeof localDate>) => filedOn(filings, day),
    find: (accession: string) => filings.find((filing) => filing.accession === accession),
    page: ({ href }: URL) => pages.get(href) ?? null,
  };
  const refusal = toReply(TOO_FAST);
  const host = scriptedHost({
    names: ['www.sec.gov', 'data.sec.gov'],
    limits: [{ name: 'too fast', requests: 10, windowMs: 1000, refusal, blockMs: BLOCKED_MS }],
    check: ({ headers }) =>
      EMAIL.test(headers.get('user-agent') ?? '')
        ? null
        : { reason: 'no contact', refusal: toReply(UNDECLARED) },
    serve({ url }): HostReply {
      if (faults.missingDocuments > 0 && url.pathname.includes('/edgar/data/')) {
        faults.missingDocuments--;
        return NOT_THERE_YET;
      }
      const isHidden = (accession: string): boolean => faults.hidden.has(accession);
      return toReply(
        serveEdgar(contents, url, { now: clock.now(), faults: { ...faults, isHidden } }),
      );
    },
  });
  return Object.assign(host, {
    filings,
    pages,
    faults,
    peakPerSecond: () => peakOf(host.requests.map(({ atMs }) => atMs)),
  });
}

export function toReply(reply: EdgarReply): HostReply {
  if (reply === 'hang') return reply;
  const { status, contentType, body } = reply;
  return { status, headers: { 'content-type': contentType }, body };
}

/** Returns the most instants in any second. */
function peakOf(startsMs: readonly number[]): number {
  let first = 0;
  let peak = 0;
  for (const [index, atMs] of startsMs.entries()) {
    while ((startsMs[first] ?? 0) <= atMs - 1000) first++;
    peak = Math.max(peak, index - first + 1);
  }
  return peak;
}

/** Returns the press release of a fictional company about a quarter, with last year's figures. */
export function releaseOf(
  company: { name: string; symbol: string },
  figures: { eps: string; epsYearAgo: string; revenue: number; revenueYearAgo: number },
  quarter: { end: string; number: 1 | 2 | 3 | 4 } = { end: '2026-09-30', number: 3 },
): string {
  const year = Number(quarter.end.slice(0, 4));
  const period = (end: string, eps: string, revenue: number) => {
    const epsCents = Math.round(Number(eps) * 100);
    return { end: localDate(end), revenue: revenue * 1000, epsCents, adjustedCents: null };
  };
  const { eps, epsYearAgo, revenue, revenueYearAgo } = figures;
  const content = {
    ...company,
    exchange: 'Nasdaq',
    fiscalYear: year,
    quarter: quarter.number,
    isInWeeks: false,
    current: period(quarter.end, eps, revenue),
    yearAgo: period(quarter.end.replace(/^\d{4}/, String(year - 1)), epsYearAgo, revenueYearAgo),
    toDate: null,
  };
  return writeRelease(content, { layout: 0 });
}
