import { daily } from '../../domain/market/due-times.ts';
import { makeLocalDate, monthOf, yearOf } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import { elementsOfTag, type HtmlElement, parseMarkup, visibleText } from '../kit/html.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type FeedRequest,
  type ParsedRow,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readReleaseTitle } from './release-title.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow } from './schedule-calendar.ts';

export const CENSUS_HOST = 'www.census.gov';
const PATH = /^\/economic-indicators\/calendar-listview(?:-\d{4})?\.html$/;
const SOURCE_URL = `https://${CENSUS_HOST}/economic-indicators/calendar-listview.html`;
/** From this month on, the page lists the next year, and the current year has its own page. */
const NEXT_YEAR_MONTH = 10;
/** Sort key of a release: New York day and time as `202601071000`. */
const SORT_KEY = /^(\d{4})(\d{2})(\d{2})([01]\d|2[0-3])([0-5]\d)$/;

/** Names of the releases with well-known events. The page words them in several ways. */
const RELEASES: readonly [pattern: RegExp, name: string][] = [
  [/^advance monthly (?:sales for retail|retail)/i, 'Advance Retail Sales'],
  [/^advance report on durable goods/i, 'Advance Durable Goods'],
  [
    /^(?:full report on )?manufacturers.? shipments, inventories,? (?:and|&) orders/i,
    'Factory Orders',
  ],
  [/^new residential construction/i, 'New Residential Construction'],
  [/^new residential sales/i, 'New Residential Sales'],
  [/^u\.?s\.? international trade in goods/i, 'U.S. International Trade in Goods and Services'],
];

/**
 * The release schedule of the Census Bureau (retail sales, durable goods, housing, trade), with
 * official days and times and the period covered, but without figures.
 */
export const censusSchedule: Feed = {
  name: 'census-schedule',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 80] },
  schedule: [{ name: 'nightly', times: daily('03:26'), scope: 'all' }],
  claims: (response) =>
    response.host === CENSUS_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan,
};

function plan(context: PlanContext): FeedRequest[] {
  const { today } = context;
  const current = `https://${CENSUS_HOST}/economic-indicators/calendar-listview-${yearOf(today)}.html`;
  const urls = monthOf(today) >= NEXT_YEAR_MONTH ? [SOURCE_URL, current] : [SOURCE_URL];
  return urls.map((url) => agencyRequest(url, 'text/html', context));
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const rows = elementsOfTag(parseMarkup(response.text, 'html'), 'tr').flatMap(toObject);
  if (rows.length === 0) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the page has no releases');
  }
  return readReleases(rows, readRelease);
}

/** Returns the cells of a table row that has a sort key: name first, period last. */
function toObject(row: HtmlElement): JsonObject[] {
  const cells = elementsOfTag(row, 'td');
  const keys = cells.map(({ attribs }) => attribs['sorttable_customkey']);
  const place = keys.findIndex((key) => key !== undefined && SORT_KEY.test(key));
  if (place === -1) return [];
  const texts = cells.map(visibleText);
  const name = texts.slice(0, place).findLast((text) => text !== '') ?? null;
  return [{ name, key: keys[place], period: texts.at(-1) ?? null }];
}

function readRelease(row: JsonObject): ParsedRow<'economic-events'> {
  const stated = required(readText(row, 'name'), 'name');
  const key = required(readText(row, 'key'), 'key');
  const [, year, month, day, hour, minute] = SORT_KEY.exec(key) ?? [];
  const date = makeLocalDate(Number(year), Number(month), Number(day));
  if (date === null) throw new RowError('bad-date', `the sort key is ${key}`);
  const name = RELEASES.find(([pattern]) => pattern.test(stated))?.[1] ?? stated;
  const covered = readText(row, 'period');
  const { period } = readReleaseTitle(`${name}, ${covered ?? ''}`);
  return releaseRow({
    eventName: name,
    date,
    time: `${hour}:${minute}`,
    timeStatus: 'exact',
    period,
    sourceUrl: SOURCE_URL,
    naturalKey: `${stated}/${covered ?? date}`,
  });
}
