import { type LocalDate, makeLocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import { elementsOfTag, type HtmlElement, parseMarkup, visibleText } from '../kit/html.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { BEA_HOST } from './bea-schedule.ts';
import { monthNumber } from '../../domain/month-number.ts';
import { readTwelveHourTime } from './clock-text.ts';
import { readReleaseTitle } from './release-title.ts';
import { readReleases, releaseRow } from './schedule-calendar.ts';

const PATH = /^\/news\/schedule\/?(?:full)?$/;
const SOURCE_URL = 'https://www.bea.gov/news/schedule';
/** `August 26 8:30 AM`. */
const DAY_AND_TIME = /^([A-Z][a-z]+) (\d{1,2}) \d{1,2}:\d{2} [AP]M$/;

/** The release schedule of the Bureau of Economic Analysis as a web page. Read from recordings. */
export const beaSchedulePage: Feed = {
  name: 'bea-schedule-page',
  datasets: ['economic-events'],
  claims: (response) => response.host === BEA_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const tables = elementsOfTag(parseMarkup(response.text, 'html'), 'table');
  const rows = tables.flatMap(toObjects);
  if (rows.length === 0) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the page has no releases');
  }
  return readReleases(rows, readRelease);
}

/** Returns the rows of a table whose head names the year. */
function toObjects(table: HtmlElement): JsonObject[] {
  const head = elementsOfTag(table, 'th').map(visibleText).join(' ');
  const year = /\bYear (\d{4})\b/.exec(head)?.[1];
  if (year === undefined) return [];
  return elementsOfTag(table, 'tr').flatMap((row) => {
    const cells = elementsOfTag(row, 'td').map(visibleText);
    return cells.length < 2 ? [] : [{ year, when: cells[0], title: cells.at(-1) }];
  });
}

function readRelease(row: JsonObject): ParsedRow<'economic-events'> {
  const title = required(readText(row, 'title'), 'title');
  const when = required(readText(row, 'when'), 'when');
  const { name, period, vintage } = readReleaseTitle(title);
  const { date, time } = readDayAndTime(when, Number(readText(row, 'year')));
  return releaseRow({
    eventName: name,
    date,
    time,
    timeStatus: 'exact',
    period,
    vintage,
    sourceUrl: SOURCE_URL,
    naturalKey: title,
  });
}

/** Throws a `RowError` if the day is not yet announced. */
function readDayAndTime(when: string, year: number): { date: LocalDate; time: string } {
  if (/to be announced/i.test(when)) throw new RowError('not-yet-dated', `the day is ${when}`);
  const [, month, day] = DAY_AND_TIME.exec(when) ?? [];
  const date = makeLocalDate(year, monthNumber(month), Number(day));
  const time = readTwelveHourTime(when);
  if (date === null || time === null) throw new RowError('bad-date', `the day is ${when}`);
  return { date, time };
}
