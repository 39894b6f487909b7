import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import { foldName } from '../../datasets/economic-events/well-known-event.ts';
import { type LocalDate, makeLocalDate } from '../../domain/local-date.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import { readText, required } from '../kit/fields.ts';
import { type JsonObject, looksLikeHtml, rejectFailedStatus } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { type IcsEvent, parseIcs } from './ics.ts';

export const BLS_HOST = 'www.bls.gov';
const PATH = '/schedule/news_release/bls.ics';
const SOURCE_URL = 'https://www.bls.gov/schedule/news_release/';
const STAMP = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/;
/** Time zone identifiers that calendars use for New York. */
const EASTERN = /^(?:US-Eastern|US\/Eastern|America\/New_York|Eastern Standard Time)$/i;

/**
 * The release schedule of the Bureau of Labor Statistics, with official dates and times but no
 * figures.
 */
export const blsSchedule: Feed = {
  name: 'bls-schedule',
  datasets: ['economic-events'],
  claims: (response) => response.host === BLS_HOST && response.path.split('?')[0] === PATH,
  parse,
  plan: () => [
    {
      url: `https://${BLS_HOST}${PATH}`,
      headers: { accept: 'text/calendar', 'user-agent': 'afterbell (self-hosted data service)' },
    },
  ],
};

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  if (looksLikeHtml(response.text)) {
    throw new SourceResponseError(
      'blocked',
      'html-instead-of-calendar',
      'expected a calendar, received a web page',
    );
  }
  const events = parseIcs(response.text);
  if (events === null) {
    throw new SourceResponseError('damaged', 'not-a-calendar', 'not iCalendar text, or truncated');
  }
  const parsed = readRows({
    dataset: 'economic-events',
    rows: events.map(toObject),
    entityKeyOf: () => null,
    read: readEvent,
  });
  return rejectConflicts(parsed);
}

/**
 * Reads an event. The calendar has no periods, so rows are keyed by their own ids, or else by name
 * and date.
 */
function readEvent(row: JsonObject): ParsedRow<'economic-events'> {
  const eventName = required(readText(row, 'SUMMARY'), 'SUMMARY');
  // Rejects a canceled event, so that it is withdrawn if it was listed before.
  if (readText(row, 'STATUS')?.toUpperCase() === 'CANCELLED') {
    throw new RowError('cancelled', `${eventName} was cancelled`.slice(0, 100));
  }
  const schedule = readStart(row);
  const month = monthKey(schedule.date);
  const fields: EconomicObservation = {
    eventName,
    isRelease: true,
    country: 'United States',
    stem: null,
    ordinal: 1,
    ...schedule,
    clock: 'new-york',
    list: month,
    sourceUrl: SOURCE_URL,
  };
  const uid = readText(row, 'UID') ?? `${foldName(eventName)}/${schedule.date}`;
  return {
    dataset: 'economic-events',
    entityKey: month,
    naturalKey: uid.slice(0, 200),
    fields,
  };
}

function readStart(row: JsonObject): Pick<EconomicObservation, 'date' | 'time' | 'timeStatus'> {
  const text = required(readText(row, 'DTSTART'), 'DTSTART');
  const match = STAMP.exec(text);
  const date = match && makeLocalDate(Number(match[1]), Number(match[2]), Number(match[3]));
  if (match === null || date === null) throw new RowError('bad-date', `DTSTART is ${text}`);
  const [hour, minute] = [match[4], match[5]];
  if (hour === undefined || minute === undefined) {
    return { date, time: null, timeStatus: 'all-day' };
  }
  if (hour > '23' || minute > '59') throw new RowError('bad-date', `DTSTART is ${text}`);
  if (match[7] === 'Z') return fromUtc(date, hour, minute);
  const zone = readText(row, 'TZID');
  if (zone === null || !EASTERN.test(zone)) {
    throw new RowError('unknown-time-zone', `the time zone of DTSTART is ${zone ?? 'missing'}`);
  }
  return { date, time: `${hour}:${minute}`, timeStatus: 'exact' };
}

function fromUtc(
  date: LocalDate,
  hour: string,
  minute: string,
): Pick<EconomicObservation, 'date' | 'time' | 'timeStatus'> {
  const at = Date.parse(`${date}T${hour}:${minute}:00Z`);
  const minutes = newYorkTimeOfDayMs(at) / 60_000;
  const time = [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return { date: newYorkDate(at), time, timeStatus: 'exact' };
}

/**
 * Converts an event to a row: values by property name, with the time zone of its start as `TZID`.
 */
function toObject(event: IcsEvent): JsonObject {
  const values = [...event].map(([name, { value }]) => [name, value] as const);
  const zone = event.get('DTSTART')?.parameters.get('TZID') ?? null;
  return { ...Object.fromEntries(values), TZID: zone };
}
