import { daily } from '../../domain/market/due-times.ts';
import {
  addDays,
  daysBetween,
  type LocalDate,
  makeLocalDate,
  parseLocalDate,
  weekdayOf,
} from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { monthNumber } from '../../domain/month-number.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { readText, readWith, required } from '../kit/fields.ts';
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

export const DOL_HOST = 'oui.doleta.gov';

/** A report that is released every week, and the page with the weeks in which holidays move it. */
interface WeeklyReport {
  stems: readonly string[];
  host: string;
  path: string;
  /** Regular weekday (1 is Monday). */
  weekday: number;
  /** Regular New York time, which also applies to moved releases without a time. */
  time: string;
  /**
   * True if a report whose regular day is a holiday is released on the day before, unless the page
   * states another day. Without it, such a report is not shown until the page moves it.
   */
  isMovedBeforeHoliday?: true;
  /** Matches the text of the page if it is the schedule. */
  heading: RegExp;
}

const REPORTS: readonly WeeklyReport[] = [
  {
    stems: ['us-initial-jobless-claims', 'us-continuing-jobless-claims'],
    host: DOL_HOST,
    path: '/unemploy/claims_arch.asp',
    weekday: 4,
    time: '08:30',
    isMovedBeforeHoliday: true,
    heading: /\bpublication schedule\b/i,
  },
  {
    stems: ['us-eia-crude-inventories'],
    host: EIA_HOST,
    path: '/petroleum/supply/weekly/schedule.php',
    weekday: 3,
    time: '10:30',
    heading: /\b10:30\s*a\.?m\b/i,
  },
  {
    stems: ['us-natural-gas-storage'],
    host: EIA_REPORTS_HOST,
    path: '/ngs/schedule.html',
    weekday: 4,
    time: '10:30',
    heading: /\b10:30\s*a\.?m\b/i,
  },
];
/** The market's holidays are those of the agencies, except that it is open on this one. */
const MARKET = marketCalendar();
const VETERANS_DAY = '-11-11';
/** A page lists exceptions for about a year; weeks farther ahead are not listed. */
const WEEKS_AHEAD = 13;
const DAY = String.raw`(?:([A-Z][a-z]{2,8})\.?\s+(\d{1,2}),\s+(\d{4})|(\d{1,2})\/(\d{1,2})\/(\d{4}))`;
const DAY_IN_TEXT = new RegExp(String.raw`\b${DAY}\b`);

/**
 * The days of weekly reports: jobless claims, petroleum and natural gas. A page lists the weeks in
 * which holidays move the report. Each of the coming weeks becomes a release on its regular day,
 * unless the page moves it.
 */
export const weeklySchedule: Feed = {
  name: 'weekly-schedule',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 110] },
  schedule: [{ name: 'nightly', times: daily('03:31'), scope: 'all' }],
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
  if (report === undefined || !report.heading.test(visibleText(page))) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the page has no schedule');
  }
  const today = newYorkDate(response.observedAt);
  const replaced = new Set(rows.map(({ cells }) => replacedDay(daysIn(cells), report)));
  const regular = regularDays(report, today).filter(
    (day) => !replaced.has(day) && (report.isMovedBeforeHoliday === true || !isHoliday(day)),
  );
  const all = [...rows, ...regular.map((regularDay) => ({ regularDay }))];
  return readReleases(
    all.flatMap((row) => report.stems.map((stem) => ({ stem, ...row }))),
    (row) => readRelease(row, report, response.url),
  );
}

/** Returns the regular days of the report from today. */
function regularDays({ weekday }: WeeklyReport, today: LocalDate): LocalDate[] {
  const first = addDays(today, (weekday - weekdayOf(today) + 7) % 7);
  return Array.from({ length: WEEKS_AHEAD }, (_, week) => addDays(first, 7 * week));
}

function readRelease(
  row: JsonObject,
  report: WeeklyReport,
  sourceUrl: string,
): ParsedRow<'economic-events'> {
  const stem = required(readText(row, 'stem'), 'stem');
  const regularDay = readWith(row, 'regularDay', parseLocalDate);
  const { date, time, replaces } =
    regularDay === null
      ? readException(row, report)
      : { date: workingDayBy(regularDay), time: report.time, replaces: regularDay };
  const schedule = { date, time, timeStatus: 'exact' as const };
  return releaseRow(
    { eventName: stem, ...schedule, sourceUrl, naturalKey: `${stem}/${replaces}` },
    { stem, list: null },
  );
}

/** Returns the day, or if it is a holiday, the last working day before it. */
function workingDayBy(day: LocalDate): LocalDate {
  return isHoliday(day) ? workingDayBy(addDays(day, -1)) : day;
}

/** Returns true for a day on which agencies publish nothing. */
function isHoliday(day: LocalDate): boolean {
  return !MARKET.isTradingDay(day) || day.endsWith(VETERANS_DAY);
}

/** Reads a moved release: its day and time, and the regular day that it replaces. */
function readException(row: JsonObject, report: WeeklyReport) {
  const cells = required(readText(row, 'cells'), 'cells');
  const days = daysIn(cells);
  const date = days.at(-1);
  const replaces = replacedDay(days, report);
  if (date === undefined || replaces === null) {
    throw new RowError('bad-date', `the row is ${cells}`.slice(0, 100));
  }
  const hasTime = cells.split('|').some((cell) => /^\s*(?:\d{1,2}:\d{2}|to be)/i.test(cell));
  const time = hasTime ? readTwelveHourTime(cells) : report.time;
  if (time === null) throw new RowError('bad-time', `the row is ${cells}`.slice(0, 100));
  return { date, time, replaces };
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
