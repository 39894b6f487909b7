import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import type { Vintage } from '../../datasets/economic-events/delayed-releases.ts';
import { makeLocalDate } from '../../domain/local-date.ts';
import { formatClockTime } from '../../domain/market/clock-time.ts';
import type { Instant } from '../../platform/instant.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import { readText, required } from '../kit/fields.ts';
import { type JsonObject, looksLikeHtml, rejectFailedStatus } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { type IcsEvent, parseIcs } from './ics.ts';

type EconomicRow = ParsedRow<'economic-events'>;

/** Day and New York time of a release. */
export type ReleaseTime = Pick<EconomicObservation, 'date' | 'time' | 'timeStatus'>;

/** The facts that an agency states about one of its releases. */
export interface ScheduledRelease extends ReleaseTime {
  eventName: string;
  /** Figures as published, with unit. */
  actual?: string | null;
  previous?: string | null;
  revised?: string | null;
  period?: string | null;
  vintage?: Vintage | null;
  sourceUrl: string;
  /** Identifies the release in the source, also after it moved to another day. */
  naturalKey: string;
}

const STAMP = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/;
/** Time zone identifiers that calendars use for New York. */
const EASTERN = /^(?:US-Eastern|US\/Eastern|America\/New_York|Eastern Standard Time)$/i;

/**
 * Parses an agency's iCalendar release schedule. `read` returns the release of one event. Throws a
 * `SourceResponseError` if the response is not a complete calendar.
 */
export function parseScheduleCalendar(
  response: SourceResponse,
  read: (event: JsonObject) => ScheduledRelease,
): ParseResult {
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
  return readReleases(events.map(toObject), (event) => releaseRow(read(requireActive(event))));
}

/** Reads the releases in a schedule. Conflicting and invalid ones are kept as invalid rows. */
export function readReleases(
  rows: readonly unknown[],
  read: (row: JsonObject) => EconomicRow,
): ParseResult {
  const dataset = 'economic-events';
  return readRows({ dataset, rows, entityKeyOf: () => null, read });
}

/**
 * Returns the row of a release, or of the well-known event with the `stem`. Unless `list` says
 * otherwise, the source lists all releases of the month, so that a later version of the source
 * without the release withdraws it.
 */
export function releaseRow(
  release: ScheduledRelease,
  options: { list?: string | null; stem?: string; isProjected?: boolean } = {},
): EconomicRow {
  const { naturalKey, ...schedule } = release;
  const month = monthKey(release.date);
  return {
    dataset: 'economic-events',
    entityKey: month,
    naturalKey: naturalKey.slice(0, 200),
    fields: {
      ...schedule,
      isRelease: options.stem === undefined,
      country: 'United States',
      stem: options.stem ?? null,
      ordinal: 1,
      clock: 'new-york',
      list: options.list === undefined ? month : options.list,
      ...(options.isProjected === true && { isProjected: true }),
    },
  };
}

/** Rejects a canceled event, so that it is withdrawn if it was listed before. */
function requireActive(event: JsonObject): JsonObject {
  if (readText(event, 'STATUS')?.toUpperCase() === 'CANCELLED') {
    const name = readText(event, 'SUMMARY') ?? 'the release';
    throw new RowError('cancelled', `${name} was cancelled`.slice(0, 100));
  }
  return event;
}

/** Reads `DTSTART` in New York time or UTC. Throws a `RowError` for any other time zone. */
export function readStart(row: JsonObject): ReleaseTime {
  const text = required(readText(row, 'DTSTART'), 'DTSTART');
  const match = STAMP.exec(text);
  const date = match && makeLocalDate(Number(match[1]), Number(match[2]), Number(match[3]));
  if (match === null || date === null) throw new RowError('bad-date', `DTSTART is ${text}`);
  const [hour, minute] = [match[4], match[5]];
  if (hour === undefined || minute === undefined) {
    return { date, time: null, timeStatus: 'all-day' };
  }
  if (hour > '23' || minute > '59') throw new RowError('bad-date', `DTSTART is ${text}`);
  if (match[7] === 'Z') return fromUtc(Date.parse(`${date}T${hour}:${minute}:00Z`));
  const zone = readText(row, 'TZID');
  if (zone === null || !EASTERN.test(zone)) {
    throw new RowError('unknown-time-zone', `the time zone of DTSTART is ${zone ?? 'missing'}`);
  }
  return { date, time: `${hour}:${minute}`, timeStatus: 'exact' };
}

/** Returns the New York day and time of an instant. */
function fromUtc(at: Instant): ReleaseTime {
  const time = formatClockTime(newYorkTimeOfDayMs(at) / 60_000);
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
