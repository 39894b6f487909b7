import { daily } from '../../domain/market/due-times.ts';
import { addDays, type LocalDate, localDate, makeLocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import {
  elementsOfTag,
  hasClass,
  type HtmlElement,
  parseMarkup,
  visibleText,
} from '../kit/html.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { monthNumber } from '../../domain/month-number.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow, type ReleaseTime } from './schedule-calendar.ts';

export const FEDERAL_RESERVE_HOST = 'www.federalreserve.gov';
const PATH = '/monetarypolicy/fomccalendars.htm';
const SOURCE_URL = `https://${FEDERAL_RESERVE_HOST}${PATH}`;
const MINUTES = 'us-fomc-minutes';
/** The committee releases minutes three weeks after a regular meeting, sometimes a day or two earlier. */
const MINUTES_AFTER_DAYS = 21;
/** First meeting whose statement came at 14:00 and whose press conference began at 14:30. */
const FIXED_TIMES_SINCE = localDate('2013-03-20');

/**
 * Meetings of the Federal Open Market Committee: statement and rate decision, press conference,
 * projections and minutes, which are projected until their day is announced. The page has no times;
 * those are the committee's fixed ones.
 */
export const fomcCalendar: Feed = {
  name: 'fomc-calendar',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 150] },
  schedule: [{ name: 'nightly', times: daily('03:28'), scope: 'all' }],
  claims: (response) =>
    response.host === FEDERAL_RESERVE_HOST && response.path.split('?')[0] === PATH,
  parse,
  plan: (context) => [agencyRequest(SOURCE_URL, 'text/html', context)],
};

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const meetings = readMeetings(response.text);
  if (meetings.length === 0) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the page has no meetings');
  }
  return readReleases(meetings.flatMap(eventsOf), readEvent);
}

/** A meeting as displayed. */
interface Meeting {
  year: string;
  /** `January` or `Apr/May`. */
  month: string;
  /** `28-29`, `18-19*`, `15 (unscheduled)`. An asterisk marks projections. */
  days: string;
  /** Text about the minutes, such as `Minutes: PDF | HTML (Released February 19, 2025)`. */
  minutes: string;
  hasStatement: boolean;
  hasPressConference: boolean;
}

/** Returns the meetings in document order. A heading with the year precedes its meetings. */
function readMeetings(text: string): Meeting[] {
  const meetings: Meeting[] = [];
  let year = '';
  for (const element of elementsOfTag(parseMarkup(text, 'html'), 'h3', 'h4', 'h5', 'div')) {
    if (element.name !== 'div') {
      year = /\b(\d{4}) FOMC Meetings\b/.exec(visibleText(element))?.[1] ?? year;
    } else if (hasClass(element, 'fomc-meeting')) {
      meetings.push(readMeeting(element, year));
    }
  }
  // Votes by letter are no meetings.
  return meetings.filter(({ days }) => !/notation vote/i.test(days));
}

function readMeeting(element: HtmlElement, year: string): Meeting {
  const textOf = (name: string): string =>
    elementsOfTag(element, 'div')
      .filter((part) => hasClass(part, `fomc-meeting__${name}`))
      .map(visibleText)[0] ?? '';
  const text = visibleText(element);
  return {
    year,
    month: textOf('month'),
    days: textOf('date'),
    minutes: textOf('minutes'),
    hasStatement: /\bStatement:/.test(text),
    hasPressConference: /\bPress Conference\b/.test(text),
  };
}

/** Returns the events of a meeting, as rows for `readEvent`. */
function eventsOf(meeting: Meeting): JsonObject[] {
  const { days, hasStatement, hasPressConference } = meeting;
  const isRegular = !/unscheduled/i.test(days);
  const released = /\(Released ([^)]+)\)/.exec(meeting.minutes)?.[1];
  const events = [
    { stem: 'us-fomc-statement', isListed: isRegular || hasStatement },
    { stem: 'us-fomc-rate-decision', isListed: isRegular || hasStatement },
    {
      stem: 'us-fomc-press-conference',
      isListed: hasPressConference || (isRegular && !hasStatement),
    },
    { stem: 'us-fomc-projections', isListed: days.includes('*') },
    { stem: MINUTES, isListed: released !== undefined || isRegular },
  ];
  return events
    .filter(({ isListed }) => isListed)
    .map(({ stem }) => ({
      stem,
      year: meeting.year,
      month: meeting.month,
      days,
      ...(stem === MINUTES && { released }),
    }));
}

function readEvent(row: JsonObject): ParsedRow<'economic-events'> {
  const stem = required(readText(row, 'stem'), 'stem');
  const days = required(readText(row, 'days'), 'days');
  if (/cancel/i.test(days)) throw new RowError('cancelled', `the meeting of ${days} was cancelled`);
  const lastDay = lastDayOf(row, days);
  const released = readText(row, 'released');
  const isProjected = stem === MINUTES && released === null;
  const date = isProjected
    ? addDays(lastDay, MINUTES_AFTER_DAYS)
    : released === null
      ? lastDay
      : readReleaseDate(released);
  const hasFixedTime = date >= FIXED_TIMES_SINCE && !/unscheduled/i.test(days);
  const schedule: ReleaseTime = hasFixedTime
    ? { date, time: stem === 'us-fomc-press-conference' ? '14:30' : '14:00', timeStatus: 'exact' }
    : { date, time: null, timeStatus: 'all-day' };
  return releaseRow(
    { eventName: stem, ...schedule, sourceUrl: SOURCE_URL, naturalKey: `${stem}/${lastDay}` },
    { stem, list: `fomc/${lastDay.slice(0, 4)}`, isProjected },
  );
}

/** Returns the last day of a meeting. `Apr/May` with `30-1` ends in the second month. */
function lastDayOf(row: JsonObject, days: string): LocalDate {
  const month = required(readText(row, 'month'), 'month');
  const numbers = [...days.matchAll(/\d+/g)].map(([number]) => Number(number));
  const number = monthNumber(month.split('/').at(-1));
  const year = Number(readText(row, 'year'));
  const date = makeLocalDate(year, number, numbers.at(-1) ?? 0);
  if (date === null) throw new RowError('bad-date', `the meeting is ${month} ${days} ${year}`);
  return date;
}

/** Reads `February 19, 2025`. */
function readReleaseDate(text: string): LocalDate {
  const [, month, day, year] = /^(\w+) (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  const date = makeLocalDate(Number(year), monthNumber(month), Number(day));
  if (date === null) throw new RowError('bad-date', `the minutes were released ${text}`);
  return date;
}
