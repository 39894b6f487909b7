import { fromEpochDay, type LocalDate, toEpochDay, weekdayOf, yearOf } from '../local-date.ts';
import { clockTime } from './clock-time.ts';
import { type EarlyClose, scheduledEarlyClose } from './early-closes.ts';
import { PRE_MARKET_OPEN, afterHoursClose } from './extended-hours.ts';
import { type Holiday, holidaysOf } from './holidays.ts';
import type { MarketDay } from './market-day.ts';
import { regularHours } from './regular-hours.ts';
import { dateIn } from './year-dates.ts';

/**
 * First year for which the calendar is exact. Earlier years are approximated with today's rules.
 */
const FIRST_EXACT_YEAR = 1970;
/** Last year for which the exchange has published its holidays. */
const LAST_PUBLISHED_YEAR = 2028;

interface YearOfDays {
  firstEpochDay: number;
  days: readonly MarketDay[];
}

const years = new Map<number, YearOfDays>();

/**
 * Returns a day according to rules and history, without overrides. The days of a year are computed
 * on first use (365 small objects) and cached for the life of the process, because they never
 * change.
 */
export function baseDay(date: LocalDate): MarketDay {
  const year = yearOf(date);
  let cached = years.get(year);
  if (cached === undefined) years.set(year, (cached = buildYear(year)));
  const day = cached.days[toEpochDay(date) - cached.firstEpochDay];
  if (day === undefined) throw new RangeError(`not a date: ${date}`);
  return day;
}

function buildYear(year: number): YearOfDays {
  const firstEpochDay = toEpochDay(dateIn(year, 1, 1));
  const pastEpochDay = toEpochDay(dateIn(year + 1, 1, 1));
  const holidays = new Map(holidaysOf(year).map((holiday) => [holiday.date, holiday]));
  const days: MarketDay[] = [];
  for (let epochDay = firstEpochDay; epochDay < pastEpochDay; epochDay++) {
    const date = fromEpochDay(epochDay);
    days.push(buildDay(date, holidays.get(date) ?? null));
  }
  return { firstEpochDay, days };
}

function buildDay(date: LocalDate, holiday: Holiday | null): MarketDay {
  const weekday = weekdayOf(date);
  if (weekday === 0 || weekday === 6) return closed(date, 'Weekend', 'weekend', null);
  const closure = specialClosure(date);
  if (closure !== null) return closed(date, closure, 'special', null);
  if (holiday !== null) return closed(date, holiday.name, 'scheduled', holiday.observedFor);
  const { open, close } = regularHours(date);
  const special = specialEarlyClose(date);
  const earlyClose = special ?? scheduledEarlyClose(date);
  const lastMinute = earlyClose?.close ?? close;
  return {
    date,
    status: earlyClose === null ? 'open' : 'early',
    preMarketOpen: PRE_MARKET_OPEN,
    open,
    close: lastMinute,
    afterHoursClose: afterHoursClose(lastMinute, earlyClose !== null),
    reason: earlyClose?.name ?? null,
    kind: earlyClose === null ? 'regular' : special === null ? 'scheduled' : 'special',
    observedFor: null,
    basis: basisOf(date),
  };
}

function closed(
  date: LocalDate,
  reason: string,
  kind: MarketDay['kind'],
  observedFor: LocalDate | null,
): MarketDay {
  return {
    date,
    status: 'closed',
    preMarketOpen: null,
    open: null,
    close: null,
    afterHoursClose: null,
    reason,
    kind,
    observedFor,
    basis: basisOf(date),
  };
}

function basisOf(date: LocalDate): MarketDay['basis'] {
  const year = yearOf(date);
  return year >= FIRST_EXACT_YEAR && year <= LAST_PUBLISHED_YEAR ? 'published' : 'projected';
}

/** Unscheduled full-day closures since 1970. */
const CLOSURES: ReadonlyMap<string, string> = new Map([
  ['1972-12-28', 'Day of mourning for Harry S. Truman'],
  ['1973-01-25', 'Day of mourning for Lyndon B. Johnson'],
  ['1977-07-14', 'New York City blackout'],
  ['1985-09-27', 'Hurricane Gloria'],
  ['1994-04-27', 'Day of mourning for Richard Nixon'],
  ['2001-09-11', 'September 11 attacks'],
  ['2001-09-12', 'September 11 attacks'],
  ['2001-09-13', 'September 11 attacks'],
  ['2001-09-14', 'September 11 attacks'],
  ['2004-06-11', 'Day of mourning for Ronald Reagan'],
  ['2007-01-02', 'Day of mourning for Gerald Ford'],
  ['2012-10-29', 'Hurricane Sandy'],
  ['2012-10-30', 'Hurricane Sandy'],
  ['2018-12-05', 'Day of mourning for George H. W. Bush'],
  ['2025-01-09', 'Day of mourning for Jimmy Carter'],
]);

/** Returns the reason for an unscheduled closure, or null if there was none. */
function specialClosure(date: LocalDate): string | null {
  return CLOSURES.get(date) ?? null;
}

interface Curtailment extends EarlyClose {
  /** First and last day, both inclusive. */
  from: string;
  to: string;
}

const PAPERWORK = 'Paperwork backlog';
const CRASH = 'Backlog after the crash of October 1987';

/**
 * Unscheduled early closes. Late opens and halts within a session are not listed, because this
 * calendar contains scheduled hours. An operator enters such a day manually.
 */
const CURTAILMENTS: readonly Curtailment[] = [
  { from: '1969-09-29', to: '1970-05-01', close: clockTime('15:00'), name: PAPERWORK },
  once('1975-02-12', '14:30', 'Snowstorm'),
  once('1976-08-09', '15:00', 'Hurricane Belle'),
  once('1978-02-06', '14:00', 'Snowstorm'),
  once('1981-03-30', '15:17', 'Attempt on the life of President Reagan'),
  once('1981-09-09', '15:28', 'Power failure in lower Manhattan'),
  { from: '1987-10-23', to: '1987-10-30', close: clockTime('14:00'), name: CRASH },
  { from: '1987-11-02', to: '1987-11-04', close: clockTime('14:30'), name: CRASH },
  { from: '1987-11-05', to: '1987-11-06', close: clockTime('15:00'), name: CRASH },
  { from: '1987-11-09', to: '1987-11-11', close: clockTime('15:30'), name: CRASH },
  once('1994-02-11', '14:30', 'Snowstorm'),
  once('1996-01-08', '14:00', 'Snowstorm'),
  once('1997-10-27', '15:30', 'Circuit breakers'),
  once('2005-06-01', '15:56', 'Systems failure'),
];

/** Returns the unscheduled early close on a day, or null if there was none. */
function specialEarlyClose(date: LocalDate): EarlyClose | null {
  return CURTAILMENTS.find(({ from, to }) => from <= date && date <= to) ?? null;
}

function once(date: string, close: string, name: string): Curtailment {
  return { from: date, to: date, close: clockTime(close), name };
}
