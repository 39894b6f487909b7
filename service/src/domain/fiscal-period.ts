import {
  addDays,
  addMonths,
  daysBetween,
  lastDayOfMonth,
  type LocalDate,
  makeLocalDate,
  yearOf,
} from './local-date.ts';

export type PeriodPrecision = 'day' | 'month';

export interface FiscalLabels {
  /** The calendar year in which the fiscal year ends. */
  fiscalYear: number;
  fiscalQuarter: 1 | 2 | 3 | 4;
}

/**
 * Years of 52 or 53 weeks end up to three days from the end of the month, possibly in the next
 * month. Days 1 to 7 therefore belong to the previous month.
 */
const SPILL_DAYS = 7;
const TOLERANCE_DAYS = 10;
const QUARTERS = [4, 3, 2, 1] as const;

/**
 * The month label of a fiscal period, `YYYY-MM`. With precision `month` it is that month. With
 * `day` it is the month of seven days before the end, so that 2026-01-03 is 2025-12.
 */
export function periodLabel(end: LocalDate, precision: PeriodPrecision): string {
  return (precision === 'month' ? end : addDays(end, -SPILL_DAYS)).slice(0, 7);
}

/**
 * Fiscal year and quarter of a period, from the company's year end (`MM-DD`). Null if the end is
 * more than ten days from every quarter end of that year, or if the year end is invalid.
 */
export function fiscalLabels(periodEnd: LocalDate, fiscalYearEnd: string): FiscalLabels | null {
  const year = yearOf(periodEnd);
  for (const candidate of [year - 1, year, year + 1]) {
    const yearEnd = yearEndIn(candidate, fiscalYearEnd);
    if (yearEnd === null) continue;
    for (const fiscalQuarter of QUARTERS) {
      const quarterEnd = addMonths(yearEnd, -3 * (4 - fiscalQuarter));
      if (Math.abs(daysBetween(quarterEnd, periodEnd)) > TOLERANCE_DAYS) continue;
      return { fiscalYear: yearOf(addDays(yearEnd, -SPILL_DAYS)), fiscalQuarter };
    }
  }
  return null;
}

/** The month (1–12) that labels the last quarter of a company whose fiscal year ends on `MM-DD`. */
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
