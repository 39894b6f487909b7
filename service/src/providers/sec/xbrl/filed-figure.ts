import type { FiledFigure } from '../../../datasets/earnings/observation.ts';
import { compareDecimals } from '../../../domain/decimal.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';

/** The revenue of banks and brokers; they may also report revenue before interest. */
const NET_OF_INTEREST = 'RevenuesNetOfInterestExpense';

/** Revenue tags in order of preference: ordinary companies, then banks, utilities, real estate. */
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
 * Revenue of one period from its facts under all tags. Companies change tags over the years, so the
 * tag is chosen per period and per filing. The order of choice within a filing is: revenue net of
 * interest, the usual measure of lenders and brokers; the larger value, since a smaller one is a
 * part, such as sales without membership fees; the preferred tag.
 *
 * `first` comes from the first filing: what the market saw. `latest` comes from the last filing.
 * Two cases are no restatement and keep the tag of `first`: the last value is smaller and under
 * another tag, since it is a part again, or the first was net of interest.
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

/** Diluted earnings per share of one period, else the next tag, using the same tag throughout. */
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

/** The earliest filing date in the run of filings, up to that of `latest`, with its value. */
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

/** Facts grouped by filing, in filing order; on the same day, by accession number. */
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

/** True if the fact has a revenue tag. */
export function isRevenue(fact: Fact): boolean {
  return REVENUE_TAGS.includes(fact.tag);
}

function rankOf(tag: string): number {
  return REVENUE_TAGS.includes(tag) ? REVENUE_TAGS.indexOf(tag) : EPS_TAGS.indexOf(tag);
}

/** The revenue that one filing reports. */
function headline(facts: readonly Fact[]): Fact | null {
  const net = facts.find((fact) => fact.tag === NET_OF_INTEREST);
  if (net !== undefined) return net;
  let best: Fact | null = null;
  for (const fact of facts) {
    if (best === null || compareDecimals(fact.value, best.value) > 0) best = fact;
  }
  return best;
}
