import type { EarningsCalendar, EarningsRow } from '../api/reads.gen.ts';
import type { CalendarSearch } from './calendar-search.ts';

export const BANDS = [
  { name: 'pre', title: 'Before the open' },
  { name: 'after', title: 'After the close' },
  { name: 'notSupplied', title: 'In session or time open' },
] as const;

/** The answer of one day or of a range, as days. */
export function daysOf(
  answer: EarningsCalendar | readonly EarningsCalendar[],
): readonly EarningsCalendar[] {
  return 'date' in answer ? [answer] : answer;
}

/** A day with the reports that the filters leave. */
export function filterDay(
  day: EarningsCalendar,
  filter: Pick<CalendarSearch, 'find' | 'sure'>,
): EarningsCalendar {
  const kept = (rows: readonly EarningsRow[]): EarningsRow[] =>
    rows.filter((row) => isFound(row, filter.find) && (filter.sure !== true || isSure(row)));
  const { pre, after, notSupplied } = day;
  return { ...day, pre: kept(pre), after: kept(after), notSupplied: kept(notSupplied) };
}

export function reportsOf(day: EarningsCalendar): EarningsRow[] {
  return [...day.pre, ...day.after, ...day.notSupplied];
}

/** A row belongs to a find when its symbol begins so or its name holds it, in any case. */
export function isFound(
  row: { symbol: string | null; name: string | null },
  find: string | undefined,
): boolean {
  if (find === undefined) return true;
  const wanted = find.trim().toLowerCase();
  return (
    (row.symbol ?? '').toLowerCase().startsWith(wanted) ||
    (row.name ?? '').toLowerCase().includes(wanted)
  );
}

const LEAST_EPS = 0.005;

/** In percentage points of the estimate; null where it is too near to nothing to divide by. */
export function epsSurpriseOf({ eps, epsEstimate }: EarningsRow): number | null {
  if (eps === null || epsEstimate === null || Math.abs(epsEstimate) < LEAST_EPS) return null;
  return ((eps - epsEstimate) / Math.abs(epsEstimate)) * 100;
}

/** The same of revenue, whose estimate must be above nothing. */
export function revenueSurpriseOf({ revenue, revenueEstimate }: EarningsRow): number | null {
  if (revenue === null || revenueEstimate === null || revenueEstimate <= 0) return null;
  return ((revenue - revenueEstimate) / revenueEstimate) * 100;
}

function isSure({ dateStatus }: EarningsRow): boolean {
  return dateStatus !== 'projected';
}
