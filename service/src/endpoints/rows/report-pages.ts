import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import type { EndpointContext, ListPart } from '../endpoint.ts';
import type { DateRange } from './date-range.ts';

/** The fields of a report that decide its page. */
export interface PagedReport {
  id: string;
  date: LocalDate;
  symbol: string;
}

/** A page of a calendar whose body is a list of days. */
export interface ReportPage<Report> {
  reports: Report[];
  /** The days of the page. */
  days: DateRange;
  part: ListPart;
}

/**
 * Returns a page of reports in the order of their days, then symbols, because the order by market
 * capitalization changes between two pages, which would lose reports. A page has `limit` reports,
 * so it may end and begin in the middle of a day, which is then on both pages. A day without reports
 * is on the page of the report before it, or on the first page.
 *
 * Returns null if the last report of the previous page is no longer where it was: to continue at
 * its new place could lose reports too.
 */
export function pageOfReports<Report extends PagedReport>(
  reports: readonly Report[],
  { range, limit, findStart }: ReportPageRequest,
): ReportPage<Report> | null {
  const sorted = reports.toSorted(byDay);
  const rows = sorted.map(({ date, symbol, id }) => ({ id: `${date} ${symbol} ${id}` }));
  const start = findStart(rows);
  if (start === null) return null;
  const shown = sorted.slice(start, start + limit);
  const previous = sorted[start - 1]?.date ?? null;
  const next = sorted[start + shown.length]?.date ?? null;
  const last = shown.at(-1)?.date ?? null;
  const from = previous === null ? range.from : (shown[0]?.date ?? addDays(previous, 1));
  const to = next === null ? range.to : next === last ? last : addDays(next, -1);
  return { reports: shown, days: { from, to }, part: { rows, start, count: shown.length } };
}

export interface ReportPageRequest {
  range: DateRange;
  /** Maximum number of reports; infinite for all of them. */
  limit: number;
  findStart: NonNullable<EndpointContext['findStart']>;
}

function byDay(a: PagedReport, b: PagedReport): number {
  return compareText(a.date, b.date) || compareText(a.symbol, b.symbol) || compareText(a.id, b.id);
}
