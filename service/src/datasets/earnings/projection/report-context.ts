import { daysBetween, type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { yearBefore } from '../fiscal-calendar.ts';
import type { SessionMarker } from '../observation.ts';

/** A report whose day is known. */
export interface PastReport {
  /** Label of its quarter, `YYYY-MM`. */
  label: string;
  date: LocalDate;
  time: SessionMarker;
}

/** Everything a projection is derived from. */
export interface ReportHistory {
  /** Oldest first, at most one per quarter. */
  reports: readonly PastReport[];
  /** Returns the last day of a quarter, also of one that has not ended. */
  endOf(label: string): LocalDate;
}

/** The days around a report, as known before its own. Days are numbers of days since 1970-01-01. */
export interface ReportContext {
  /** The report of the same quarter a year ago plus 52 weeks, or 53 if the quarter ends later. */
  anchor: number;
  /** Days of the same quarter's reports in the years before, newest first, without a gap. */
  sameQuarter: readonly number[];
  /**
   * Days as far from the end of the quarter as the reports of `sameQuarter` were, as offsets from
   * the anchor.
   */
  anniversaries: readonly number[];
  /** Days of the reports before, newest first; at most four. */
  recent: readonly number[];
  /** Offsets of the last three reports from their own anchors; null without the year before. */
  shifts: readonly (number | null)[];
  /** Last day of the quarter. */
  end: number;
  /** Days from the end of the quarter to its report, of the reports in `recent`. */
  lags: readonly number[];
  /** Days between the reports of a year ago: the one before this one, and this one. */
  gapDays: number | null;
}

const YEARS_MAX = 7;
const RECENT_MAX = 4;
const YEAR_DAYS = 364;
/** A quarter that ends this much later than 52 weeks after last year's has a week more. */
const EXTRA_WEEK_DAYS_MIN = 5;

/**
 * Returns the context of a quarter's report, from the first `count` reports of the history. Returns
 * null if the quarter of a year ago has no known report, because every habit is relative to it.
 */
export function contextOf(
  label: string,
  { reports, endOf }: ReportHistory,
  count: number,
  dayOf: ReadonlyMap<string, number>,
): ReportContext | null {
  const labels = earlierYears(label).filter((_, index, all) =>
    all.slice(0, index + 1).every((each) => dayOf.has(each)),
  );
  const sameQuarter = labels.flatMap((each) => dayOf.get(each) ?? []);
  const [yearAgo] = sameQuarter;
  const newest = reports[count - 1];
  if (yearAgo === undefined || newest === undefined) return null;
  const anchor = yearAgo + YEAR_DAYS + extraDays(label, endOf);
  const end = endOf(label);
  const before = reports.slice(Math.max(0, count - RECENT_MAX), count).toReversed();
  const newestYearAgo = dayOf.get(yearBefore(newest.label));
  return {
    anchor,
    sameQuarter,
    anniversaries: labels.map((each, index) => {
      const day = sameQuarter[index] ?? 0;
      return day + daysBetween(endOf(each), end) - anchor;
    }),
    recent: before.map(({ date }) => toEpochDay(date)),
    shifts: before.slice(0, 3).map((report) => shiftOf(report, endOf, dayOf)),
    end: toEpochDay(end),
    lags: before.map((report) => daysBetween(endOf(report.label), report.date)),
    gapDays: newestYearAgo === undefined ? null : yearAgo - newestYearAgo,
  };
}

/** Returns the days of reports by label. */
export function daysByLabel(reports: readonly PastReport[]): Map<string, number> {
  return new Map(reports.map(({ label, date }) => [label, toEpochDay(date)]));
}

function earlierYears(label: string): string[] {
  const labels: string[] = [];
  let year = label;
  for (let index = 0; index < YEARS_MAX; index++) {
    year = yearBefore(year);
    labels.push(year);
  }
  return labels;
}

function shiftOf(
  { label, date }: PastReport,
  endOf: ReportHistory['endOf'],
  dayOf: ReadonlyMap<string, number>,
): number | null {
  const yearAgo = dayOf.get(yearBefore(label));
  return yearAgo === undefined
    ? null
    : toEpochDay(date) - yearAgo - YEAR_DAYS - extraDays(label, endOf);
}

/** Returns 7 for a quarter that ends 53 weeks after the one of a year ago, or else 0. */
function extraDays(label: string, endOf: ReportHistory['endOf']): number {
  const extra = daysBetween(endOf(yearBefore(label)), endOf(label)) - YEAR_DAYS;
  return extra >= EXTRA_WEEK_DAYS_MIN ? 7 : 0;
}
