import { yearOf } from '../../../domain/local-date.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
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
const UNKNOWN: PeriodLabel = { fiscalYear: null, fiscalQuarter: null };

/** The last day each filing reports on, by accession number: the end of the filing's own period. */
export function ownPeriodEnds(facts: readonly Fact[]): ReadonlyMap<string, LocalDate> {
  const ends = new Map<string, LocalDate>();
  for (const { accession, start, end } of facts) {
    const known = ends.get(accession);
    if (start !== null && (known === undefined || end > known)) ends.set(accession, end);
  }
  return ends;
}

/**
 * The company's own name for the quarter that ends on `end`: year and period of the filing that
 * first reported it, provided that it is the filing's own period and no comparison. A year more
 * than one off the calendar is a mistake and not told.
 */
export function labelOf(
  end: LocalDate,
  facts: readonly Fact[],
  ownEnds: ReadonlyMap<string, LocalDate>,
): PeriodLabel {
  const [first] = facts.toSorted((a, b) => (filingKey(a) < filingKey(b) ? -1 : 1));
  if (first === undefined || ownEnds.get(first.accession) !== end) return UNKNOWN;
  const fiscalQuarter = QUARTERS.get(first.filingPeriod ?? '') ?? null;
  const fiscalYear = first.filingYear;
  if (fiscalQuarter === null || fiscalYear === null) return UNKNOWN;
  return Math.abs(fiscalYear - yearOf(end)) > 1 ? UNKNOWN : { fiscalYear, fiscalQuarter };
}

function filingKey(fact: Fact): string {
  return `${fact.filedDate} ${fact.accession}`;
}
