import { daily } from '../../domain/market/due-times.ts';
import { parseMonthDayYear } from '../../domain/dirty-date.ts';
import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import { type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { parseClockTime } from '../../domain/market/clock-time.ts';
import type { StatedSchedule } from '../../domain/market/compare-schedule.ts';
import { newYorkDate, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import type { JsonObject } from '../kit/json.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { openEnvelope } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** It is unknown when in the evening the source turns to the next day. */
const DAY_HOURS = { from: 4, to: 16 };
const HOUR_MS = 3_600_000;

/**
 * `market-info`: the hours of the current session. They fill no data set: they are compared with the
 * computed market calendar, so that an unscheduled closure is noticed.
 */
export const marketInfo: Feed = {
  name: 'market-info',
  datasets: [],
  schedule: [
    // Fetched on computed holidays too, and before the open, when an unscheduled closure matters.
    { name: 'check', times: daily('09:05'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) =>
    response.host === HOST && /^\/api\/market-info\/?(\?|$)/.test(response.path),
  parse,
  plan: () => [apiRequest('market-info')],
};

function parse(response: SourceResponse): ParseResult {
  const data = openEnvelope(response);
  if (Array.isArray(data)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'a list without hours');
  }
  try {
    return { rows: [], bad: [], marketSchedule: readSchedule(data, response.observedAt) };
  } catch (error) {
    if (!(error instanceof DirtyValueError)) throw error;
    throw new SourceResponseError('error-answer', 'unexpected-shape', error.message);
  }
}

function readSchedule(data: JsonObject, observedAt: number): StatedSchedule {
  const times = {
    preMarketOpen: readTime(data, 'pmOpenRaw', 'preMarketOpeningTime'),
    open: readTime(data, 'openRaw', 'marketOpeningTime'),
    close: readTime(data, 'closeRaw', 'marketClosingTime'),
    afterHoursClose: readTime(data, 'ahCloseRaw', 'afterHoursMarketClosingTime'),
  };
  const { open } = times;
  if (open === null) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no opening time');
  }
  return {
    date: open.date,
    preMarketOpen: minuteOn(open.date, times.preMarketOpen),
    open: open.minute,
    close: minuteOn(open.date, times.close),
    afterHoursClose: minuteOn(open.date, times.afterHoursClose),
    previousTradingDay: readDay(data, 'previousTradeDate'),
    nextTradingDay: readDay(data, 'nextTradeDate'),
    today: readToday(data, observedAt),
  };
}

interface ClockReading {
  date: LocalDate;
  minute: number;
}

/** Reads a New York time: `2026-11-20T09:30:00`, or in words if that is missing. */
function readTime(data: JsonObject, rawKey: string, wordsKey: string): ClockReading | null {
  const raw = data[rawKey];
  const [, day = '', clock = ''] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}/.exec(typeof raw === 'string' ? raw : '') ?? [];
  const [date, minute] = [parseLocalDate(day), parseClockTime(clock)];
  if (date !== null && minute !== null) return { date, minute };
  return parseWords(data[wordsKey]);
}

const WORDS = /^([A-Z][a-z]{2} \d{1,2}, \d{4}) (\d{1,2}):(\d{2}) ([AP])M ET$/;

/** Reads `Nov 20, 2026 04:00 PM ET`. */
function parseWords(value: unknown): ClockReading | null {
  const match = WORDS.exec(typeof value === 'string' ? value.trim() : '');
  if (match === null) return null;
  const date = parseMonthDayYear(match[1] ?? '');
  const hour = (Number(match[2]) % 12) + (match[4] === 'P' ? 12 : 0);
  return date === null ? null : { date, minute: hour * 60 + Number(match[3]) };
}

/** Returns the minute of a time on the day of the session; null for another day. */
function minuteOn(date: LocalDate, time: ClockReading | null): number | null {
  return time?.date === date ? time.minute : null;
}

function readDay(data: JsonObject, key: string): LocalDate | null {
  const value = data[key];
  return typeof value === 'string' ? parseMonthDayYear(value) : null;
}

function readToday(data: JsonObject, observedAt: number): StatedSchedule['today'] {
  const isTradingDay = data['isBusinessDay'];
  if (typeof isTradingDay !== 'boolean' || observedAt <= 0) return null;
  const hours = newYorkTimeOfDayMs(observedAt) / HOUR_MS;
  if (hours < DAY_HOURS.from || hours >= DAY_HOURS.to) return null;
  return { date: newYorkDate(observedAt), isTradingDay };
}
