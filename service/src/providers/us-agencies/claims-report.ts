import { atReleases } from './at-releases.ts';
import { type Decimal, divideDecimals, normalizeDecimal } from '../../domain/decimal.ts';
import { type LocalDate, makeLocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import { elementsOfTag, parseMarkup, visibleText } from '../kit/html.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { awaitsFigure } from './awaited.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow } from './schedule-calendar.ts';

export const DOL_NEWS_HOST = 'www.dol.gov';
/** The list of news releases, or one of them. The address of a release has its day. */
const PATH = /^\/newsroom\/releases\/eta(?:\/eta\d{8}(?:-\d)?)?\/?$/;
const RELEASE = /\/newsroom\/releases\/eta\/eta(\d{4})(\d{2})(\d{2})(?:-\d)?\/?$/;
const TITLE = /\bunemployment insurance weekly claims\b/i;

/** The claims and the words that begin the sentence with their figure. */
const CLAIMS: readonly { stem: string; sentence: RegExp }[] = [
  {
    stem: 'us-initial-jobless-claims',
    sentence: /advance figure for seasonally adjusted initial claims was ([\d,]+)/i,
  },
  {
    stem: 'us-continuing-jobless-claims',
    sentence:
      /advance (?:number|figure) for seasonally adjusted insured unemployment during the week ending [A-Za-z]+ \d{1,2} was ([\d,]+)/i,
  },
];
const UNREVISED = /previous week's unrevised level of ([\d,]+)/i;
const REVISED =
  /previous week's level was revised (?:up|down) (?:by )?[\d,]+ from ([\d,]+) to ([\d,]+)/i;
/** A figure's sentences end before those about its average. */
const NEXT_SUBJECT = /\b4-week moving average\b/i;

/**
 * Initial and continuing claims of the Department of Labor, from the text of its weekly news release:
 * the advance figure, that of the week before as published, and as revised.
 */
export const claimsReport: Feed = {
  name: 'claims-report',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 120] },
  schedule: [{ name: 'figures', times: atReleases('08:30'), scope: 'all', priority: 'prompt' }],
  claims: (response) =>
    response.host === DOL_NEWS_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan: (context) =>
    CLAIMS.some(({ stem }) => awaitsFigure(context, stem))
      ? [
          agencyRequest(
            `https://${DOL_NEWS_HOST}/newsroom/releases/eta?lang=en`,
            'text/html',
            context,
          ),
        ]
      : [],
};

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const releases = releasesIn(response);
  const rows = releases.flatMap(({ address, text }) =>
    CLAIMS.flatMap(({ stem, sentence }) => {
      const start = sentence.exec(text);
      if (start === null) return [];
      const rest = text.slice(start.index);
      return [{ address, stem, figure: start[1], text: rest.split(NEXT_SUBJECT)[0] ?? '' }];
    }),
  );
  if (rows.length > 0) return readReleases(rows, readClaims);
  throw new SourceResponseError(
    'unsupported',
    'no-claims-report',
    'the page has no weekly report of claims',
  );
}

/** Returns the weekly reports on a page: those in a list, or the page itself. */
function releasesIn(response: SourceResponse): { address: string; text: string }[] {
  const page = parseMarkup(response.text, 'html');
  const path = response.path.split('?')[0] ?? '';
  const blocks = RELEASE.test(path)
    ? [{ address: path, text: visibleText(page) }]
    : elementsOfTag(page, 'div', 'article').map((block) => ({
        address: (block.attribs['about'] ?? '').trim(),
        text: visibleText(block),
      }));
  return blocks
    .filter(({ address, text }) => RELEASE.test(address) && TITLE.test(text))
    .map(({ address, text }) => ({ address, text: text.replaceAll('\u2019', "'") }));
}

function readClaims(row: JsonObject): ParsedRow<'economic-events'> {
  const stem = required(readText(row, 'stem'), 'stem');
  const address = required(readText(row, 'address'), 'address');
  const text = required(readText(row, 'text'), 'text');
  const revised = REVISED.exec(text);
  const previous = revised?.[1] ?? UNREVISED.exec(text)?.[1] ?? null;
  const date = dayOf(address);
  const release = {
    eventName: stem,
    date,
    time: '08:30',
    timeStatus: 'exact' as const,
    actual: thousands(required(readText(row, 'figure'), 'figure')),
    previous: previous === null ? null : thousands(previous),
    revised: revised?.[2] === undefined ? null : thousands(revised[2]),
    sourceUrl: `https://${DOL_NEWS_HOST}${address}`,
    naturalKey: `${stem}/${date}`,
  };
  return releaseRow(release, { stem, list: null });
}

function dayOf(address: string): LocalDate {
  const [, year, month, day] = RELEASE.exec(address) ?? [];
  const date = makeLocalDate(Number(year), Number(month), Number(day));
  if (date === null) throw new RowError('bad-date', `the address is ${address}`.slice(0, 100));
  return date;
}

/** Returns a count in thousands: `187,000` as `187K`. */
function thousands(text: string): string {
  const count: Decimal | null = normalizeDecimal(text.replaceAll(',', ''));
  const value = count === null ? null : divideDecimals(count, '1000', 3);
  if (value === null) throw new RowError('bad-number', `the figure is ${text}`.slice(0, 100));
  return `${value}K`;
}
