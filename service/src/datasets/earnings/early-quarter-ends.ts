import { addDays, daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { type FiscalCalendar, monthEndOf, quarterBefore } from './fiscal-calendar.ts';

/** Quarters of twelve weeks end up to three weeks before the month that labels them. */
const EARLY_DAYS_MAX = 21;
/** After a filing of these days, the next report is due. */
const NEXT_REPORT_DAYS_MIN = 60;
const QUARTERS_MIN = 3;

/**
 * Returns ends for quarters that must have ended before their month, by label. Used for companies
 * without filed figures, whose exact quarters are unknown. If a company regularly files results in
 * the last three weeks of a month, and none in the two months before and after, the quarter had
 * ended by then.
 */
export function earlyQuarterEnds(
  filingDates: readonly LocalDate[],
  fiscalCalendar: FiscalCalendar,
): Map<string, LocalDate> {
  if (fiscalCalendar.phase === null) return new Map();
  const ends = new Map<string, LocalDate>();
  for (const date of filingDates) {
    const label = quarterBefore(addDays(date, EARLY_DAYS_MAX), fiscalCalendar);
    const isEarly = monthEndOf(label) >= date;
    const isAlone = filingDates.every((other) => {
      return other === date || Math.abs(daysBetween(other, date)) >= NEXT_REPORT_DAYS_MIN;
    });
    if (isEarly && isAlone) ends.set(label, addDays(monthEndOf(label), -EARLY_DAYS_MAX));
  }
  const byMonth = Map.groupBy(ends, ([label]) => label.slice(5));
  return new Map([...byMonth.values()].filter(({ length }) => length >= QUARTERS_MIN).flat());
}
