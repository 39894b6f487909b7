import {
  addDays,
  daysBetween,
  type LocalDate,
  makeLocalDate,
  parseLocalDate,
  weekdayOf,
} from '../../domain/local-date.ts';
import { monthNumber } from '../../domain/month-number.ts';
import { newYorkDate } from '../../domain/new-york.ts';
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
import { readTwelveHourTime } from './clock-text.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow } from './schedule-calendar.ts';

export const EIA_HOST = 'www.eia.gov';
export const EIA_REPORTS_HOST = 'ir.eia.gov';

/** A weekly report of the Energy Information Administration. */
interface WeeklyReport {
  stem: string;
  host: string;
  path: string;
  /** Regular weekday (1 is Monday). The regular time is 10:30. */
  weekday: number;
}

const REPORTS: readonly WeeklyReport[] = [
  {
    stem: 'us-eia-crude-inventories',
    host: EIA_HOST,
    path: '/petroleum/supply/weekly/schedule.php',
    weekday: 3,
  },
  {
    stem: 'us-natural-gas-storage',
    host: EIA_REPORTS_HOST,
    path: '/ngs/schedule.html',
    weekday: 4,
  },
];
const REGULAR_TIME = '10:30';
/** A page lists exceptions for about a year; weeks farther ahead are not listed. */
const WEEKS_AHEAD = 13;
const DAY = String.raw`(?:([A-Z][a-z]{2,8})\.?\s+(\d{1,2}),\s+(\d{4})|(\d{1,2})\/(\d{1,2})\/(\d{4}))`;
const DAY_IN_TEXT = new RegExp(String.raw`\b${DAY}\b`);

/**
 * The days of the weekly petroleum and natural gas reports. A page states the regular weekday and
 * time in a sentence, and lists the weeks in which holidays move the report. Each of the coming weeks
 * becomes a release on its regular day, unless the page moves it.
 */
export const eiaSchedule: Feed = {
  name: 'eia-schedule',
  datasets: ['economic-events'],
  claims: (response) => reportOf(response) !== undefined,
  parse,
  plan: (context) =>
    REPORTS.map(({ host, path }) => agencyRequest(`https://${host}${path}`, 'text/html', context)),
};

function reportOf({ host, path }: SourceResponse): WeeklyReport | undefined {
  return REPORTS.find((report) => report.host === host && report.path === path.split('?')[0]);
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const report = reportOf(response);
  const page = parseMarkup(response.text, 'html');
  const rows = elementsOfTag(page, 'tr').flatMap((row) => {
    const cells = elementsOfTag(row, 'td').map(visibleText);
    return cells.some((cell) => DAY_IN_TEXT.test(cell)) ? [{ cells: cells.join(' | ') }] : [];
  });
  const isSchedule = /\b10:30\s*a\.?m\b/i.test(visibleText(page));
  if (report === undefined || !isSchedule || rows.length === 0) {
    throw new SourceResponseError(
      'error-answer',
      'unexpected-shape',
      'the page lists no holiday releases',
    );
  }
  const moved = readReleases(rows, (row) => readException(row, report, response.url));
  const regular = regularWeeks(report, newYorkDate(response.observedAt)).filter(
    ({ day }) => !rows.some(({ cells }) => replacedDay(daysIn(cells), report) === day),
  );
  const read = readReleases(regular, (row) => {
    const date = required(parseLocalDate(required(readText(row, 'day'), 'day')), 'day');
    return toRow(report, { regularDay: date, date, time: REGULAR_TIME }, response.url);
  });
  return { rows: [...moved.rows, ...read.rows], bad: [...moved.bad, ...read.bad] };
}

/** Returns the regular days of the report from today. */
function regularWeeks({ weekday }: WeeklyReport, today: LocalDate): { day: LocalDate }[] {
  const first = addDays(today, (weekday - weekdayOf(today) + 7) % 7);
  return Array.from({ length: WEEKS_AHEAD }, (_, week) => ({ day: addDays(first, 7 * week) }));
}

function readException(
  row: JsonObject,
  report: WeeklyReport,
  url: string,
): ParsedRow<'economic-events'> {
  const cells = required(readText(row, 'cells'), 'cells');
  const days = daysIn(cells);
  const regularDay = replacedDay(days, report);
  const date = days.at(-1);
  if (date === undefined || regularDay === null) {
    throw new RowError('bad-date', `the row is ${cells}`.slice(0, 100));
  }
  const time = readTwelveHourTime(cells);
  if (time === null) throw new RowError('bad-time', `the row is ${cells}`.slice(0, 100));
  return toRow(report, { regularDay, date, time }, url);
}

/** Returns the days in a row's cells: the end of the week, if stated, and the day of the release. */
function daysIn(cells: string): LocalDate[] {
  return cells.split('|').flatMap((cell) => {
    const [, name, day, year, month, monthDay, monthYear] = DAY_IN_TEXT.exec(cell) ?? [];
    const date =
      name === undefined
        ? makeLocalDate(Number(monthYear), Number(month), Number(monthDay))
        : makeLocalDate(Number(year), monthNumber(name), Number(day));
    return date === null ? [] : [date];
  });
}

/**
 * Returns the regular day that an exception replaces: the first one after the end of the week, or if
 * the page does not state that, the regular day of the same week. A release on a Monday or Tuesday is
 * that of the week before.
 */
function replacedDay(days: readonly LocalDate[], { weekday }: WeeklyReport): LocalDate | null {
  const [first, second] = days;
  if (first === undefined) return null;
  if (second !== undefined && daysBetween(first, second) > 0) {
    return addDays(first, ((weekday - weekdayOf(first) + 6) % 7) + 1);
  }
  const released = days.at(-1) ?? first;
  const shift = weekday - weekdayOf(released);
  return addDays(released, weekdayOf(released) < 3 ? shift - 7 : shift);
}

function toRow(
  { stem }: WeeklyReport,
  { regularDay, date, time }: { regularDay: LocalDate; date: LocalDate; time: string },
  sourceUrl: string,
): ParsedRow<'economic-events'> {
  return releaseRow(
    {
      eventName: stem,
      date,
      time,
      timeStatus: 'exact',
      sourceUrl,
      naturalKey: `${stem}/${regularDay}`,
    },
    { stem, list: null },
  );
}
