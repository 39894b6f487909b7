import {
  addDays,
  dayOf,
  type LocalDate,
  monthOf,
  toEpochDay,
  weekdayOf,
} from '../domain/local-date.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../domain/new-york.ts';
import type { Instant } from '../platform/instant.ts';

/**
 * When something is due: moments of some days. `seasonal` keeps one timetable while most companies
 * report and another between the seasons.
 */
export type Times =
  | { kind: 'civil'; weekdays: readonly number[]; moments: readonly Moment[] }
  | { kind: 'trading'; moments: readonly Moment[] }
  | { kind: 'seasonal'; inSeason: Times; between: Times };

/**
 * Minutes after midnight in New York, after the open or after the close of that very day: a session
 * that ends at 13:00 has its evening three hours earlier.
 */
export interface Moment {
  after: 'midnight' | 'open' | 'close';
  minutes: number;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
/** Longer than the market was ever closed, and than a week. */
const SEEK_DAYS_MAX = 30;

/** At clock times of every day, such as `02:00`. */
export function daily(...times: string[]): Times {
  return { kind: 'civil', weekdays: EVERY_DAY, moments: times.map(momentOf) };
}

/** At one clock time of one day of the week (0 Sunday). */
export function weekly(weekday: number, time: string): Times {
  return { kind: 'civil', weekdays: [weekday], moments: [momentOf(time)] };
}

/** On days with a session, at moments such as `20:00`, `open-90` or `close+45` (in minutes). */
export function onTradingDays(...moments: string[]): Times {
  return { kind: 'trading', moments: moments.map(momentOf) };
}

/** On days with a session, every so many minutes between two moments of one kind, both included. */
export function everyOnTradingDays(minutes: number, from: string, to: string): Times {
  const [first, last] = [momentOf(from), momentOf(to)];
  if (first.after !== last.after) throw new RangeError(`${from} and ${to} are of two kinds`);
  const count = Math.floor((last.minutes - first.minutes) / minutes) + 1;
  const moments = Array.from({ length: count }, (_, i) => ({
    after: first.after,
    minutes: first.minutes + i * minutes,
  }));
  return { kind: 'trading', moments };
}

/** One timetable in the seasons of reports, another between them. */
export function seasonal(inSeason: Times, between: Times): Times {
  return { kind: 'seasonal', inSeason, between };
}

/** Most companies report between the tenth day of a quarter and the end of its second month. */
export function isEarningsSeason(date: LocalDate): boolean {
  const month = (monthOf(date) - 1) % 3;
  return month === 1 || (month === 0 && dayOf(date) >= 10);
}

/** The first time due after `after`. */
export function nextDue(times: Times, after: Instant, market: MarketCalendar): Instant {
  return seek({ times, market, start: newYorkDate(after), step: 1, fits: (at) => at > after });
}

/** The last time that was due at or before `at`. */
export function lastDue(times: Times, at: Instant, market: MarketCalendar): Instant {
  return seek({ times, market, start: newYorkDate(at), step: -1, fits: (due) => due <= at });
}

/** Everything due on one day of the New York clock, rising. */
export function dueOn(times: Times, date: LocalDate, market: MarketCalendar): Instant[] {
  if (times.kind === 'seasonal') {
    return dueOn(isEarningsSeason(date) ? times.inSeason : times.between, date, market);
  }
  if (times.kind === 'civil' && !times.weekdays.includes(weekdayOf(date))) return [];
  if (times.kind === 'trading' && !market.isTradingDay(date)) return [];
  const { open, close } = market.day(date);
  const zero = { midnight: 0, open: open ?? 0, close: close ?? 0 };
  return times.moments
    .map(({ after, minutes }) => newYorkInstant(date, zero[after] + minutes))
    .toSorted((a, b) => a - b);
}

function seek(options: {
  times: Times;
  market: MarketCalendar;
  start: LocalDate;
  step: 1 | -1;
  fits(at: Instant): boolean;
}): Instant {
  const { times, market, start, step, fits } = options;
  for (let days = 0; days <= SEEK_DAYS_MAX; days++) {
    const due = dueOn(times, addDays(start, step * days), market);
    const found = step === 1 ? due.find(fits) : due.findLast(fits);
    if (found !== undefined) return found;
  }
  throw new RangeError(`never due around day ${toEpochDay(start)}`);
}

function momentOf(text: string): Moment {
  const clock = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (clock !== null)
    return { after: 'midnight', minutes: Number(clock[1]) * 60 + Number(clock[2]) };
  const [, after, minutes] = /^(open|close)([+-]\d{1,3})$/.exec(text) ?? [];
  if (after === 'open' || after === 'close') return { after, minutes: Number(minutes) };
  throw new RangeError(`no moment of a day: ${text}`);
}
