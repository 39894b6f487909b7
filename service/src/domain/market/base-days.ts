import { fromEpochDay, type LocalDate, toEpochDay, weekdayOf, yearOf } from '../local-date.ts';
import { scheduledEarlyClose } from './early-closes.ts';
import { PRE_MARKET_OPEN, afterHoursClose } from './extended-hours.ts';
import { type Holiday, holidaysOf } from './holidays.ts';
import type { MarketDay } from './market-day.ts';
import { regularHours } from './regular-hours.ts';
import { specialClosure } from './special-closures.ts';
import { specialEarlyClose } from './special-early-closes.ts';
import { dateIn } from './year-dates.ts';

/** The calendar is exact from this year on. Earlier years use today's rules as an approximation. */
const FIRST_EXACT_YEAR = 1970;
/** The exchange has published its holidays through this year. */
const LAST_PUBLISHED_YEAR = 2028;

interface YearOfDays {
  firstEpochDay: number;
  days: readonly MarketDay[];
}

const years = new Map<number, YearOfDays>();

/**
 * A day by rules and history, without overrides. A year is computed at its first use (365 small
 * objects) and cached for the life of the process, because it never changes.
 */
export function baseDay(date: LocalDate): MarketDay {
  const year = yearOf(date);
  let known = years.get(year);
  if (known === undefined) years.set(year, (known = buildYear(year)));
  const day = known.days[toEpochDay(date) - known.firstEpochDay];
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
  const early = special ?? scheduledEarlyClose(date);
  const lastMinute = early?.close ?? close;
  return {
    date,
    status: early === null ? 'open' : 'early',
    preMarketOpen: PRE_MARKET_OPEN,
    open,
    close: lastMinute,
    afterHoursClose: afterHoursClose(lastMinute, early !== null),
    reason: early?.name ?? null,
    kind: early === null ? 'regular' : special === null ? 'scheduled' : 'special',
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
