import { addDays, toEpochDay, weekdayOf } from '../domain/local-date.ts';
import type { LocalDate } from '../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../domain/new-york.ts';
import type { Instant } from '../platform/instant.ts';

/** When something is due: minutes of the New York day, on some days of the week. */
export interface Times {
  /** Minutes since midnight, rising. */
  minutes: readonly number[];
  /** 0 Sunday … 6 Saturday. */
  weekdays: readonly number[];
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];

/** At clock times of every day, such as `02:00`. */
export function daily(...times: string[]): Times {
  return { minutes: times.map(minuteOf), weekdays: EVERY_DAY };
}

/** At clock times from Monday to Friday. */
export function onWeekdays(...times: string[]): Times {
  return { minutes: times.map(minuteOf), weekdays: MONDAY_TO_FRIDAY };
}

/** At one clock time of one day of the week (0 Sunday). */
export function weekly(weekday: number, time: string): Times {
  return { minutes: [minuteOf(time)], weekdays: [weekday] };
}

/** From Monday to Friday, every so many minutes from a clock time up to another, both included. */
export function everyOnWeekdays(minutes: number, from: string, to: string): Times {
  const first = minuteOf(from);
  const count = Math.floor((minuteOf(to) - first) / minutes) + 1;
  return {
    minutes: Array.from({ length: count }, (_, i) => first + i * minutes),
    weekdays: MONDAY_TO_FRIDAY,
  };
}

/** The first time due after `after`. */
export function nextDue(times: Times, after: Instant): Instant {
  return seek(times, newYorkDate(after), 1, (at) => at > after);
}

/** The last time that was due at or before `at`. */
export function lastDue(times: Times, at: Instant): Instant {
  return seek(times, newYorkDate(at), -1, (due) => due <= at);
}

function seek(
  times: Times,
  start: LocalDate,
  step: 1 | -1,
  fits: (at: Instant) => boolean,
): Instant {
  const minutes = step === 1 ? times.minutes : times.minutes.toReversed();
  for (let days = 0; days <= 8; days++) {
    const date = addDays(start, step * days);
    if (!times.weekdays.includes(weekdayOf(date))) continue;
    const found = minutes.map((minute) => newYorkInstant(date, minute)).find(fits);
    if (found !== undefined) return found;
  }
  throw new RangeError(`never due around day ${toEpochDay(start)}`);
}

function minuteOf(time: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (match === null) throw new RangeError(`not a clock time: ${time}`);
  return Number(match[1]) * 60 + Number(match[2]);
}
