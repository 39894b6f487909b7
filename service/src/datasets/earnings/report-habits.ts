import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';

/**
 * Default lag if the company's own lag is unknown: most results are published about a month after
 * the quarter.
 */
const USUAL_LAG_DAYS = 30;
/**
 * Maximum distance in days to the same quarter of other years. If at least `SEASONS_MIN` of these
 * quarters are this close, they determine the usual lag.
 */
const SEASONS_DAYS_MAX = 3 * 366;
const SEASONS_MIN = 2;
/** Number of quarters that determine a company's habits. */
const QUARTERS_MAX = 8;
/** Fewer quarters are no habit. */
const QUARTERS_MIN = 3;

/** A quarter whose report is known without doubt. */
export interface KnownReport {
  label: string;
  /** Days from the quarter's end to the report. */
  lagDays: number;
  /** Size of its filing; null if unknown. */
  sizeBytes: number | null;
}

/** When a company usually reports a quarter, and how large that filing usually is. */
export interface ReportHabit {
  lagDays: number;
  /** False if too few reports are known for a habit. */
  isKnown: boolean;
  /** Null if too few sizes are known. */
  sizeBytes: number | null;
}

/**
 * Returns the company's habit for a quarter, from the reports of other quarters. Habits change over
 * the years, and the last quarter of a year takes longer, so the nearest quarters of the same
 * season are used, or else the nearest quarters of any season.
 */
export function habitFor(
  label: string,
  reports: readonly KnownReport[],
  endOf: (label: string) => LocalDate,
): ReportHabit {
  const daysApart = (report: KnownReport): number =>
    Math.abs(daysBetween(endOf(report.label), endOf(label)));
  const others = reports
    .filter((report) => report.label !== label)
    .toSorted((a, b) => daysApart(a) - daysApart(b) || compareText(a.label, b.label));
  const sameSeason = others.filter(
    (report) => report.label.slice(5) === label.slice(5) && daysApart(report) <= SEASONS_DAYS_MAX,
  );
  const nearest = (sameSeason.length >= SEASONS_MIN ? sameSeason : others).slice(0, QUARTERS_MAX);
  const sizes = others.flatMap(({ sizeBytes }) => sizeBytes ?? []).slice(0, QUARTERS_MAX);
  return {
    lagDays: middleOf(nearest.map(({ lagDays }) => lagDays)) ?? USUAL_LAG_DAYS,
    isKnown: others.length >= QUARTERS_MIN,
    sizeBytes: sizes.length >= QUARTERS_MIN ? middleOf(sizes) : null,
  };
}

function middleOf(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
