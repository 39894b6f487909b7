import { daysBetween, type LocalDate, yearOf } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';

export interface PeriodLabel {
  fiscalYear: number | null;
  fiscalQuarter: number | null;
}

const QUARTERS: ReadonlyMap<string, number> = new Map([
  ['Q1', 1],
  ['Q2', 2],
  ['Q3', 3],
  ['Q4', 4],
  ['FY', 4],
]);
const QUARTER_DAYS = 365.25 / 4;
const UNKNOWN: PeriodLabel = { fiscalYear: null, fiscalQuarter: null };

/**
 * Returns the end of each filing's own period, which is the latest end among its facts, by
 * accession number.
 */
export function periodEndsByFiling(facts: readonly Fact[]): ReadonlyMap<string, LocalDate> {
  const ends = new Map<string, LocalDate>();
  for (const { accession, start, end } of facts) {
    const latest = ends.get(accession);
    if (start !== null && (latest === undefined || end > latest)) ends.set(accession, end);
  }
  return ends;
}

/** A company's fiscal calendar according to its filings. */
export interface FilingCalendar {
  periodEndByFiling: ReadonlyMap<string, LocalDate>;
  /** Last days of the known fiscal years. */
  yearEnds: readonly LocalDate[];
}

/**
 * Returns the company's own label for the quarter that ends on `end`: the year and period of the
 * filing that first reported it, if the quarter is that filing's own period and not a comparison.
 * Filers make mistakes here, so the label is unknown if the quarter does not fit the distance to
 * the known year-ends, or if the year is more than one away from the calendar year.
 */
export function labelOf(
  end: LocalDate,
  facts: readonly Fact[],
  { periodEndByFiling, yearEnds }: FilingCalendar,
): PeriodLabel {
  const [first] = facts.toSorted((a, b) => (filingKey(a) < filingKey(b) ? -1 : 1));
  if (first === undefined || periodEndByFiling.get(first.accession) !== end) return UNKNOWN;
  const fiscalQuarter = QUARTERS.get(first.filingPeriod ?? '') ?? null;
  const fiscalYear = first.filingYear;
  if (fiscalQuarter === null || fiscalYear === null) return UNKNOWN;
  if (Math.abs(fiscalYear - yearOf(end)) > 1) return UNKNOWN;
  const expected = quarterByDistance(end, yearEnds);
  return expected !== null && expected !== fiscalQuarter ? UNKNOWN : { fiscalYear, fiscalQuarter };
}

/** Returns 1 to 4, based on the nearest year-end; also works for quarters of 12 and 16 weeks. */
function quarterByDistance(end: LocalDate, yearEnds: readonly LocalDate[]): number | null {
  const [days] = yearEnds
    .map((yearEnd) => daysBetween(yearEnd, end))
    .toSorted((a, b) => Math.abs(a) - Math.abs(b));
  if (days === undefined) return null;
  const quarter = Math.round(days / QUARTER_DAYS) % 4;
  return quarter <= 0 ? quarter + 4 : quarter;
}

function filingKey(fact: Fact): string {
  return `${fact.filedDate} ${fact.accession}`;
}
