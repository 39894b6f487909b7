import { formatNewYork, newYorkDate } from '../../../src/domain/new-york.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Instant } from '../../../src/platform/instant.ts';
import {
  type HostReply,
  type HostRequest,
  jsonReply,
  pageReply,
  type ScriptedHost,
  scriptedHost,
} from './scripted-host.ts';

/** A filing of a fictional company. */
export interface ScriptedFiling {
  accession: string;
  cik: string;
  name: string;
  form: string;
  items: readonly string[];
  acceptedAt: Instant;
  /** Time at which the feed shows it; the acceptance time by default. */
  shownAt?: Instant;
  exhibits: readonly { type: string; filename: string; body: string }[];
}

/** Current misbehavior of EDGAR. */
export interface EdgarFaults {
  /** `hang` never responds; `repeat` sends the first page for every page. */
  feed: 'none' | 'hang' | 'cut' | 'repeat' | 'shuffle' | 'blocked' | 'unavailable';
  /** The feed shows nothing newer than this. */
  shownUntil: Instant | null;
  /** The next requests for documents respond 404, as for pages that are not there yet. */
  missingDocuments: number;
  /** Accession numbers that the feed never shows, though the daily index has them. */
  hidden: Set<string>;
}

const EMAIL = /[^\s@(]+@[^\s@]+\.[^\s@)]+/;
const BLOCKED_MS = 10 * 60_000;
const NO_SUCH_KEY: HostReply = {
  status: 404,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>',
};
const UNDECLARED =
  '<html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>';

const REFUSAL = pageReply(403, UNDECLARED);
const MAINTENANCE = pageReply(503, '<html>maintenance</html>');

export interface EdgarHost extends ScriptedHost {
  filings: ScriptedFiling[];
  /** Bodies of further JSON pages by URL, such as lists of companies and pages about one. */
  pages: Map<string, object>;
  faults: EdgarFaults;
  /** Most requests in any second. */
  peakPerSecond(): number;
}

/**
 * EDGAR with its feed of current filings, index pages, exhibits and daily indexes. It refuses clients
 * without an e-mail address and more than ten requests in a second, as the real one does.
 */
export function edgarHost(clock: Clock, filings: ScriptedFiling[] = []): EdgarHost {
  const faults: EdgarFaults = {
    feed: 'none',
    shownUntil: null,
    missingDocuments: 0,
    hidden: new Set(),
  };
  const pages = new Map<string, object>();
  const host = scriptedHost({
    names: ['www.sec.gov', 'data.sec.gov'],
    limits: [
      { name: 'too fast', requests: 10, windowMs: 1000, refusal: REFUSAL, blockMs: BLOCKED_MS },
    ],
    check: ({ headers }) =>
      EMAIL.test(headers.get('user-agent') ?? '')
        ? null
        : { reason: 'no contact', refusal: REFUSAL },
    serve({ url }: HostRequest): HostReply {
      if (url.pathname === '/cgi-bin/browse-edgar') {
        return serveFeed(url, { filings, faults, now: clock.now() });
      }
      if (url.pathname.startsWith('/Archives/edgar/daily-index/')) {
        return serveDailyIndex(url, filings);
      }
      const page = pages.get(url.href);
      return page === undefined ? serveDocument(url, filings, faults) : jsonReply(page);
    },
  });
  return Object.assign(host, {
    filings,
    pages,
    faults,
    peakPerSecond: () => peakOf(host.requests.map(({ atMs }) => atMs)),
  });
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

function serveFeed(
  { searchParams }: URL,
  { filings, faults, now }: { filings: ScriptedFiling[]; faults: EdgarFaults; now: Instant },
): HostReply {
  if (faults.feed === 'hang') return 'hang';
  if (faults.feed === 'blocked') return REFUSAL;
  if (faults.feed === 'unavailable') return MAINTENANCE;
  const [type = '', count, first] = ['type', 'count', 'start'].map(
    (name) => searchParams.get(name) ?? '',
  );
  const until = Math.min(now, faults.shownUntil ?? Infinity);
  const listed = filings
    .filter(({ acceptedAt, shownAt = acceptedAt }) => shownAt <= until)
    .filter(({ accession, form }) => form.startsWith(type) && !faults.hidden.has(accession))
    .toSorted((a, b) => b.acceptedAt - a.acceptedAt || (a.accession < b.accession ? 1 : -1));
  const start = faults.feed === 'repeat' ? 0 : Number(first);
  if (start > 0 && start >= listed.length) return MAINTENANCE;
  const page = listed.slice(start, start + Number(count));
  if (faults.feed === 'shuffle') page.sort((a, b) => hash(a.accession) - hash(b.accession));
  const text = feedOf(page);
  const body = faults.feed === 'cut' ? text.slice(0, Math.floor(text.length * 0.6)) : text;
  return { status: 200, headers: { 'content-type': 'application/atom+xml' }, body };
}

function serveDailyIndex({ pathname }: URL, filings: readonly ScriptedFiling[]): HostReply {
  const [, year, month, day] = /form\.(\d{4})(\d\d)(\d\d)\.idx$/.exec(pathname) ?? [];
  const date = `${year}-${month}-${day}`;
  const onDay = filings.filter(({ acceptedAt }) => newYorkDate(acceptedAt) === date);
  if (onDay.length === 0) return NO_SUCH_KEY;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: indexOf(onDay) };
}

function serveDocument(
  { pathname }: URL,
  filings: readonly ScriptedFiling[],
  faults: EdgarFaults,
): HostReply {
  if (faults.missingDocuments > 0) {
    faults.missingDocuments--;
    return NO_SUCH_KEY;
  }
  const [, folder, file = ''] = /\/data\/\d+\/(\d{18})\/([^/]+)$/.exec(pathname) ?? [];
  const filing = filings.find(({ accession }) => accession.replaceAll('-', '') === folder);
  if (filing === undefined) return NO_SUCH_KEY;
  if (file.endsWith('-index.html')) return pageReply(200, indexPageOf(filing));
  const exhibit = filing.exhibits.find(({ filename }) => filename === file);
  return exhibit === undefined ? NO_SUCH_KEY : pageReply(200, exhibit.body);
}

function hash(text: string): number {
  return [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7);
}

function feedOf(filings: readonly ScriptedFiling[]): string {
  const entries = filings.map(({ accession, cik, name, form, items, acceptedAt }) => {
    const lines = items.map((item) => `\n&lt;br&gt;Item ${item}: Words`).join('');
    return `<entry>
<title>${form} - ${name} (${cik}) (Filer)</title>
<summary type="html"> &lt;b&gt;AccNo:&lt;/b&gt; ${accession}${lines}</summary>
<updated>${formatNewYork(acceptedAt)}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>`;
  });
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
${entries.join('\n')}
</feed>`;
}

function indexPageOf({ accession, form, items, acceptedAt, exhibits }: ScriptedFiling): string {
  const accepted = formatNewYork(acceptedAt).slice(0, 19).replace('T', ' ');
  const itemLines = items.map((item) => `Item ${item}: Words<br />`).join('');
  const documents = [{ type: form, filename: 'main.htm' }, ...exhibits];
  const rows = documents.map(
    ({ type, filename }, index) =>
      `<tr><td>${index + 1}</td><td>${type}</td><td><a href="/x">${filename}</a></td><td>${type}</td><td>100</td></tr>`,
  );
  return `<!DOCTYPE HTML><html><body>
<div><strong>Form ${form}</strong> - Current report</div>
<div><strong>Accession No.</strong> ${accession}</div>
<div>Filing Date</div><div>${accepted.slice(0, 10)}</div>
<div>Accepted</div><div>${accepted}</div>
<div>Period of Report</div><div>${accepted.slice(0, 10)}</div>
${items.length === 0 ? '' : `<div>Items</div><div>${itemLines}</div>`}
<table><tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>
${rows.join('\n')}
<tr><td></td><td>Complete submission text file</td><td>x.txt</td><td></td><td>182044</td></tr></table>
</body></html>`;
}

function indexOf(filings: readonly ScriptedFiling[]): string {
  const lines = filings.map(({ form, name, cik, acceptedAt, accession }) => {
    const date = newYorkDate(acceptedAt).replaceAll('-', '');
    const file = `edgar/data/${Number(cik)}/${accession}.txt`;
    return `${form.padEnd(12)}${name.padEnd(62)}${String(Number(cik)).padEnd(12)}${date}    ${file}`;
  });
  return `${'Form Type'.padEnd(12)}${'Company Name'.padEnd(62)}${'CIK'.padEnd(12)}Date Filed  File Name
${'-'.repeat(120)}
${lines.join('\n')}
`;
}

/** Returns the press release of a fictional company about a quarter, with last year's figures. */
export function releaseOf(
  company: { name: string; symbol: string },
  figures: { eps: string; epsYearAgo: string; revenue: number; revenueYearAgo: number },
  quarter = { end: 'September 30,', year: 2026, title: 'Third Quarter' },
): string {
  const { name, symbol } = company;
  const { eps, epsYearAgo, revenue, revenueYearAgo } = figures;
  const amount = (value: number) => value.toLocaleString('en-US');
  return `<html><body>
<p>${name} Reports ${quarter.title} ${quarter.year} Results</p>
<p>${name} (Nasdaq: ${symbol}) today reported net income of $${eps} per diluted share for the quarter ended ${quarter.end} ${quarter.year}.</p>
<p>Consolidated Statements of Operations (in thousands, except per share amounts)</p>
<table>
<tr><td></td><td colspan="2">Three Months Ended ${quarter.end}</td></tr>
<tr><td></td><td>${quarter.year}</td><td>${quarter.year - 1}</td></tr>
<tr><td>Revenue</td><td>${amount(revenue)}</td><td>${amount(revenueYearAgo)}</td></tr>
<tr><td>Cost of revenue</td><td>${amount(Math.round(revenue * 0.6))}</td><td>${amount(Math.round(revenueYearAgo * 0.6))}</td></tr>
<tr><td>Operating income</td><td>${amount(Math.round(revenue * 0.1))}</td><td>${amount(Math.round(revenueYearAgo * 0.1))}</td></tr>
<tr><td>Net income per share, diluted</td><td>${eps}</td><td>${epsYearAgo}</td></tr>
</table>
</body></html>`;
}
