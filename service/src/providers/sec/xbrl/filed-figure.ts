import type { FiledFigure } from '../../../datasets/earnings/observation.ts';
import { compareDecimals } from '../../../domain/decimal.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';

/** The revenue tag for banks and brokers, which may also report revenue before interest. */
const NET_OF_INTEREST = 'RevenuesNetOfInterestExpense';

/**
 * Revenue tags in order of preference: ordinary companies, then banks, utilities and real estate.
 */
export const REVENUE_TAGS: readonly string[] = [
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'Revenues',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
  'SalesRevenueGoodsNet',
  NET_OF_INTEREST,
  'RegulatedAndUnregulatedOperatingRevenue',
  'RealEstateRevenueNet',
];

export const EPS_TAGS: readonly string[] = [
  'EarningsPerShareDiluted',
  'EarningsPerShareBasicAndDiluted',
  'EarningsPerShareBasic',
];

/**
 * Returns one period's revenue from its facts with all tags. Companies change tags over the years,
 * so the tag is chosen per period and per filing. Within a filing, revenue net of interest is
 * preferred, the usual measure for lenders and brokers; then the larger value, since a smaller
 * value is only a part, such as sales without membership fees; then the preferred tag.
 *
 * `first` is from the first filing, which is the value the market saw. `latest` is from the last
 * filing. In two cases the last filing is not a restatement, and `latest` keeps the tag of `first`:
 * if its value is smaller and has a different tag, it is only a part, and if the first value was
 * net of interest, it is a different measure.
 */
export function revenueFigure(facts: readonly Fact[]): FiledFigure | null {
  const filings = inFilingOrder(facts.filter(isRevenue));
  const first = headline(filings.at(0) ?? []);
  const last = headline(filings.at(-1) ?? []);
  if (first === null || last === null) return null;
  const lastOfTag = filings.flat().findLast((fact) => fact.tag === first.tag) ?? first;
  const isSmaller = compareDecimals(last.value, lastOfTag.value) < 0;
  const isOtherMeasure = last.tag !== first.tag && (isSmaller || first.tag === NET_OF_INTEREST);
  return toFigure(first, isOtherMeasure ? lastOfTag : last, filings);
}

/**
 * Returns one period's earnings per share: diluted, or else with the next available tag. The same
 * tag is used throughout.
 */
export function epsFigure(facts: readonly Fact[]): FiledFigure | null {
  for (const tag of EPS_TAGS) {
    const filings = inFilingOrder(facts.filter((fact) => fact.tag === tag));
    const first = filings.at(0)?.[0];
    const latest = filings.at(-1)?.[0];
    if (first !== undefined && latest !== undefined) return toFigure(first, latest, filings);
  }
  return null;
}

function toFigure(first: Fact, latest: Fact, filings: readonly Fact[][]): FiledFigure {
  const { tag, accession, form, filedDate } = first;
  return {
    tag,
    first: first.value,
    latest: latest.value,
    filedDate,
    latestFiledDate: latest.filedDate,
    latestSinceDate: earliestFilingDate(latest, filings),
    accession,
    form,
    derived: false,
  };
}

/**
 * Returns the earliest filing date in the unbroken series of filings that contain the value of
 * `latest`. The series ends with the filing of `latest`.
 */
function earliestFilingDate(latest: Fact, filings: readonly Fact[][]): LocalDate {
  let earliestDate = latest.filedDate;
  for (const filing of filings.toReversed()) {
    const [firstFact] = filing;
    if (firstFact === undefined || firstFact.filedDate > latest.filedDate) continue;
    if (!filing.some((fact) => fact.value === latest.value)) break;
    earliestDate = firstFact.filedDate;
  }
  return earliestDate;
}

/**
 * Groups facts by filing, in filing order; filings on the same day are ordered by accession number.
 */
function inFilingOrder(facts: readonly Fact[]): Fact[][] {
  const filings = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = `${fact.filedDate} ${fact.accession}`;
    const filing = filings.get(key);
    if (filing === undefined) filings.set(key, [fact]);
    else filing.push(fact);
  }
  return [...filings]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, filing]) => filing.toSorted(byTagAndValue));
}

function byTagAndValue(a: Fact, b: Fact): number {
  return rankOf(a.tag) - rankOf(b.tag) || compareDecimals(b.value, a.value);
}

/** Returns true if the fact has a revenue tag. */
export function isRevenue(fact: Fact): boolean {
  return REVENUE_TAGS.includes(fact.tag);
}

function rankOf(tag: string): number {
  return REVENUE_TAGS.includes(tag) ? REVENUE_TAGS.indexOf(tag) : EPS_TAGS.indexOf(tag);
}

/** Returns the revenue that one filing reports. */
function headline(facts: readonly Fact[]): Fact | null {
  const net = facts.find((fact) => fact.tag === NET_OF_INTEREST);
  if (net !== undefined) return net;
  let best: Fact | null = null;
  for (const fact of facts) {
    if (best === null || compareDecimals(fact.value, best.value) > 0) best = fact;
  }
  return best;
}
