import { addDays, lastDayOfMonth, type LocalDate, makeLocalDate } from './local-date.ts';

export type PeriodPrecision = 'day' | 'month';

/**
 * A year of 52 or 53 weeks ends up to three days from the end of the month, possibly in the next
 * month. Days 1 to 7 are therefore assigned to the previous month.
 */
const SPILL_DAYS = 7;

/**
 * Returns the month label for a fiscal period, `YYYY-MM`. With precision `month`, it is the month
 * of the end date. With precision `day`, it is the month seven days before the end, so that
 * 2026-01-03 is labeled 2025-12.
 */
export function periodLabel(end: LocalDate, precision: PeriodPrecision): string {
  return (precision === 'month' ? end : addDays(end, -SPILL_DAYS)).slice(0, 7);
}

/**
 * Returns the month (1–12) that labels the last quarter of a company whose fiscal year ends on
 * `MM-DD`, or null for invalid text.
 */
export function yearEndMonth(fiscalYearEnd: string): number | null {
  const end = yearEndIn(2001, fiscalYearEnd);
  return end === null ? null : Number(periodLabel(end, 'day').slice(5));
}

function yearEndIn(year: number, monthDay: string): LocalDate | null {
  const match = /^(\d{2})-(\d{2})$/.exec(monthDay);
  if (match === null) return null;
  const month = Number(match[1]);
  if (month === 2 && match[2] === '29') return lastDayOfMonth(year, 2);
  return makeLocalDate(year, month, Number(match[2]));
}
