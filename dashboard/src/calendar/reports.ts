import type { EarningsCalendar, EarningsRow } from '@afterbell/sdk';
import type { CalendarSearch } from './calendar-search.ts';

export const BANDS = [
  { name: 'pre', title: 'Before open' },
  { name: 'after', title: 'After close' },
  { name: 'notSupplied', title: 'During session or time unknown' },
] as const;

/** Converts a response for a single date or a range to a list of days. */
export function daysOf(
  answer: EarningsCalendar | readonly EarningsCalendar[],
): readonly EarningsCalendar[] {
  return 'date' in answer ? [answer] : answer;
}

/** Returns the day with only the matching reports. */
export function filterDay(
  day: EarningsCalendar,
  filter: Pick<CalendarSearch, 'find' | 'sure'>,
): EarningsCalendar {
  const matching = (rows: readonly EarningsRow[]): EarningsRow[] =>
    rows.filter((row) => matchesSearch(row, filter.find) && (filter.sure !== true || isSure(row)));
  const { pre, after, notSupplied } = day;
  return { ...day, pre: matching(pre), after: matching(after), notSupplied: matching(notSupplied) };
}

export function reportsOf(day: EarningsCalendar): EarningsRow[] {
  return [...day.pre, ...day.after, ...day.notSupplied];
}

/** Checks whether the symbol starts with the search term or the name contains it, ignoring case. */
export function matchesSearch(
  row: { symbol: string | null; name: string | null },
  find: string | undefined,
): boolean {
  if (find === undefined) return true;
  const term = find.trim().toLowerCase();
  return (
    (row.symbol ?? '').toLowerCase().startsWith(term) ||
    (row.name ?? '').toLowerCase().includes(term)
  );
}

const LEAST_EPS = 0.005;

/**
 * Returns the EPS surprise as a percentage of the estimate, or null if the estimate is too close to
 * zero.
 */
export function epsSurpriseOf({ eps, epsEstimate }: EarningsRow): number | null {
  if (eps === null || epsEstimate === null || Math.abs(epsEstimate) < LEAST_EPS) return null;
  return ((eps - epsEstimate) / Math.abs(epsEstimate)) * 100;
}

/**
 * Returns the revenue surprise as a percentage of the estimate, or null unless the estimate is
 * positive.
 */
export function revenueSurpriseOf({ revenue, revenueEstimate }: EarningsRow): number | null {
  if (revenue === null || revenueEstimate === null || revenueEstimate <= 0) return null;
  return ((revenue - revenueEstimate) / revenueEstimate) * 100;
}

function isSure({ dateStatus }: EarningsRow): boolean {
  return dateStatus !== 'projected';
}
