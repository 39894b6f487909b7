import { addDays, dayOf, type LocalDate, monthOf, toEpochDay, weekdayOf } from '../local-date.ts';
import type { MarketCalendar } from './calendar.ts';
import { newYorkDate, newYorkInstant } from '../new-york.ts';
import type { Instant } from '../../platform/instant.ts';

/**
 * Times when a job is due. `seasonal` has one schedule for earnings season and a second one for the
 * rest of the year.
 */
export type Times =
  | { kind: 'civil'; weekdays: readonly number[]; moments: readonly Moment[] }
  | { kind: 'trading'; moments: readonly Moment[] }
  | { kind: 'seasonal'; inSeason: Times; offSeason: Times };

/**
 * Minutes after midnight in New York, or after that day's open or close. If the market closes at
 * 13:00, evening jobs run three hours earlier.
 */
export interface Moment {
  after: 'midnight' | 'open' | 'close';
  minutes: number;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
/** Longer than any market closure and longer than a week. */
const SEEK_DAYS_MAX = 30;

/** Returns times that are due every day at New York clock times, such as `02:00`. */
export function daily(...times: string[]): Times {
  return { kind: 'civil', weekdays: EVERY_DAY, moments: times.map(momentOf) };
}

/** Returns a time that is due at a New York clock time on one day of the week (0 is Sunday). */
export function weekly(weekday: number, time: string): Times {
  return { kind: 'civil', weekdays: [weekday], moments: [momentOf(time)] };
}

/**
 * Returns times that are due on trading days, such as `20:00`, `open-90` or `close+45` (in
 * minutes).
 */
export function onTradingDays(...moments: string[]): Times {
  return { kind: 'trading', moments: moments.map(momentOf) };
}

/**
 * Returns times that are due on trading days, every `minutes` minutes from one moment to another of
 * the same kind, inclusive.
 */
export function everyOnTradingDays(minutes: number, from: string, to: string): Times {
  const [first, last] = [momentOf(from), momentOf(to)];
  if (first.after !== last.after)
    throw new RangeError(`${from} and ${to} are not of the same kind`);
  const count = Math.floor((last.minutes - first.minutes) / minutes) + 1;
  const moments = Array.from({ length: count }, (_, i) => ({
    after: first.after,
    minutes: first.minutes + i * minutes,
  }));
  return { kind: 'trading', moments };
}

export function seasonal(inSeason: Times, offSeason: Times): Times {
  return { kind: 'seasonal', inSeason, offSeason };
}

/**
 * Returns true in earnings season. Most companies report between the tenth day of a quarter and the
 * end of its second month.
 */
export function isEarningsSeason(date: LocalDate): boolean {
  const month = (monthOf(date) - 1) % 3;
  return month === 1 || (month === 0 && dayOf(date) >= 10);
}

/** Returns the first due time after `after`. */
export function nextDue(times: Times, after: Instant, market: MarketCalendar): Instant {
  return seek({ times, market, start: newYorkDate(after), step: 1, fits: (at) => at > after });
}

/** Returns the last due time at or before `at`. */
export function lastDue(times: Times, at: Instant, market: MarketCalendar): Instant {
  return seek({ times, market, start: newYorkDate(at), step: -1, fits: (due) => due <= at });
}

/** Returns all due times on one New York day, in ascending order. */
export function dueOn(times: Times, date: LocalDate, market: MarketCalendar): Instant[] {
  if (times.kind === 'seasonal') {
    return dueOn(isEarningsSeason(date) ? times.inSeason : times.offSeason, date, market);
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
    const dueAt = step === 1 ? due.find(fits) : due.findLast(fits);
    if (dueAt !== undefined) return dueAt;
  }
  throw new RangeError(`never due around day ${toEpochDay(start)}`);
}

function momentOf(text: string): Moment {
  const clock = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (clock !== null)
    return { after: 'midnight', minutes: Number(clock[1]) * 60 + Number(clock[2]) };
  const [, after, minutes] = /^(open|close)([+-]\d{1,3})$/.exec(text) ?? [];
  if (after === 'open' || after === 'close') return { after, minutes: Number(minutes) };
  throw new RangeError(`not a moment of a day: ${text}`);
}
