import { formatInstant } from '../../platform/instant.ts';
import { addDays, type LocalDate, weekdayOf } from '../local-date.ts';
import type { MarketCalendar } from './calendar.ts';
import { formatClockTime } from './clock-time.ts';
import { closeAt, holidayName, type MarketDay } from './market-day.ts';
import { dateIn } from './year-dates.ts';

/** A weekday on which the market is closed or closes early. Keys are in response order. */
export interface MarketHoliday {
  date: LocalDate;
  name: string;
  status: 'closed' | 'early-close';
  isEarlyClose: boolean;
  /** `HH:MM` New York time. Null on a closed day, as is `closeAt` (UTC). */
  open: string | null;
  close: string | null;
  closeAt: string | null;
  exchanges: readonly string[];
  /** The actual date of a holiday that falls on a weekend and is observed on this day. */
  observedFor: LocalDate | null;
  kind: 'scheduled' | 'special';
  basis: 'published' | 'projected';
  weekday: string;
}

/** Both exchanges have the same calendar. */
const EXCHANGES: readonly string[] = ['NYSE', 'NASDAQ'];

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns the holidays and early closes in a range of calendar years, both inclusive, by date. */
export function deriveMarketHolidays(
  calendar: MarketCalendar,
  years: { from: number; to: number },
): MarketHoliday[] {
  const holidays: MarketHoliday[] = [];
  const past = dateIn(years.to + 1, 1, 1);
  for (let date = dateIn(years.from, 1, 1); date !== past; date = addDays(date, 1)) {
    const day = calendar.day(date);
    const name = holidayName(day);
    if (name !== null) holidays.push(renderHoliday(day, name));
  }
  return holidays;
}

function renderHoliday(day: MarketDay, name: string): MarketHoliday {
  const isEarlyClose = day.status === 'early';
  const closesAt = closeAt(day);
  return {
    date: day.date,
    name,
    status: isEarlyClose ? 'early-close' : 'closed',
    isEarlyClose,
    open: day.open === null ? null : formatClockTime(day.open),
    close: day.close === null ? null : formatClockTime(day.close),
    closeAt: closesAt === null ? null : formatInstant(closesAt),
    exchanges: EXCHANGES,
    observedFor: day.observedFor,
    kind: day.kind === 'special' ? 'special' : 'scheduled',
    basis: day.basis,
    weekday: WEEKDAYS[weekdayOf(day.date)] ?? '',
  };
}
