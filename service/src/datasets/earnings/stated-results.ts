import { isNamedIn } from '../../domain/company-likeness.ts';
import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  subtractDecimals,
} from '../../domain/decimal.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { divideBySplits } from '../../domain/share-splits.ts';
import { compareText } from '../../platform/compare.ts';
import type { QuarantineReason } from '../dataset.ts';
import { latest } from '../source-records/observation-history.ts';
import { alignLabel, quarterBeforeLabel, yearBefore } from './fiscal-calendar.ts';
import { LAG_DAYS_MAX } from './match-filings.ts';
import type { StatedFigureObservation } from './observation.ts';
import {
  type Candidates,
  copyCandidates,
  type Derivation,
  type EarningsInput,
  type QuarantinedHistory,
  type ReleaseHistory,
  type ReportCandidate,
  type StatedFigureHistory,
} from './report-candidate.ts';
import { isSameRevenue } from './revenue-basis.ts';

/** Both figures are rounded to a cent. */
const SAME_EPS_MAX = '0.015';
/** No company's revenue changes by this factor, but a wrong scale changes it by a thousand. */
const REVENUE_FACTOR_MAX = '50';
const QUARTERS_BACK_MAX = 8;
const TICKER =
  /\b(?:NYSE|NASDAQ|AMEX|CBOE|OTC\w*|TSX|LSE)\b[^():]{0,40}:\s*["“”']?([A-Z][A-Z0-9]{0,5}(?:[.-][A-Z]{1,2})?)/gi;

/**
 * Adds the press releases in filings to the reports of these filings, with those of their figures
 * that agree with the known history. All others are quarantined with what they contradict:
 *
 * - a document without the name or a symbol of the company, which may be another company's;
 * - a period that is not the quarter of the report;
 * - a figure whose value for the quarter a year before is not the stored one, so that the row, the
 *   column, the scale or the share basis may be another one.
 */
export function addStatedResults(derivation: Derivation): Derivation {
  const { releases, stated, input } = derivation;
  if (releases.length === 0 && stated.length === 0) return derivation;
  const candidates = copyCandidates(derivation.candidates);
  const quarantined = [...derivation.quarantined];
  const reports = reportsByAccession(candidates);
  const accepted = new Set<string>();
  const inOrder = releases.toSorted(
    (a, b) => orderOf(a, reports) - orderOf(b, reports) || compareText(urlOf(b), urlOf(a)),
  );
  for (const history of inOrder) {
    const report = reports.get(latest(history).fields.accession);
    const reason = findReleaseProblem(history, report?.candidate, derivation);
    if (reason !== null) quarantined.push({ history, reason });
    else if (report !== undefined) {
      report.candidate.release = history;
      accepted.add(urlOf(history));
    }
  }
  // Oldest reports first, because each one is checked against those before it.
  for (const [, candidate] of [...candidates].toSorted(([a], [b]) => compareText(a, b))) {
    const { release } = candidate;
    if (release === null) continue;
    const figures = stated.filter(
      (history) => accepted.has(urlOf(history)) && isOf(history, candidate),
    );
    for (const history of figures) {
      const reason = findFigureProblem(history, candidate, { candidates, input });
      if (reason === null) candidate.stated.push(history);
      else quarantined.push({ history, reason });
    }
    candidate.stated.sort(
      (a, b) => orderOf(b, reports) - orderOf(a, reports) || compareText(urlOf(a), urlOf(b)),
    );
  }
  quarantined.push(...withoutRelease(stated, accepted));
  return { ...derivation, candidates, quarantined };
}

interface FiledReport {
  candidate: ReportCandidate;
  /** 0 for the report's own filing, then one more for each filing that repeats its news. */
  order: number;
}

function reportsByAccession(candidates: Candidates): Map<string, FiledReport> {
  const reports = new Map<string, FiledReport>();
  for (const candidate of candidates.values()) {
    const { filing } = candidate;
    if (filing === null) continue;
    for (const [order, accession] of [filing.accession, ...filing.repeatedBy].entries()) {
      reports.set(accession, { candidate, order });
    }
  }
  return reports;
}

function orderOf(
  history: ReleaseHistory | StatedFigureHistory,
  reports: ReadonlyMap<string, FiledReport>,
): number {
  return reports.get(latest<{ accession: string }>(history).fields.accession)?.order ?? 0;
}

function urlOf(history: ReleaseHistory | StatedFigureHistory): string {
  return latest<{ documentUrl: string }>(history).fields.documentUrl;
}

function isOf(history: StatedFigureHistory, { filing }: ReportCandidate): boolean {
  const { accession } = latest(history).fields;
  return accession === filing?.accession || (filing?.repeatedBy.includes(accession) ?? false);
}

function withoutRelease(
  stated: readonly StatedFigureHistory[],
  accepted: ReadonlySet<string>,
): QuarantinedHistory[] {
  const reason = { reason: 'release-not-used', detail: 'the press release is not used' };
  return stated
    .filter((history) => !accepted.has(urlOf(history)))
    .map((history) => ({ history, reason }));
}

/** Returns why a press release cannot be used; null if it can. */
function findReleaseProblem(
  history: ReleaseHistory,
  candidate: ReportCandidate | undefined,
  { input, fiscalCalendar }: Derivation,
): QuarantineReason | null {
  const { isAccepted, fields } = latest(history);
  const { opening, periodEnd, accession } = fields;
  if (candidate === undefined) {
    const detail = `filing ${accession} is not the report of a quarter`;
    return { reason: 'release-not-in-report', detail };
  }
  if (isAccepted === true) return null;
  if (!isAboutCompany(opening, input)) {
    const detail = `it begins: ${opening.slice(0, 200)}`;
    return { reason: 'release-of-other-company', detail };
  }
  const label = alignLabel(periodLabel(periodEnd, 'day'), fiscalCalendar);
  if (label !== candidate.label || !isPlausibleLag(periodEnd, candidate)) {
    const detail = `it reports the period to ${periodEnd}, the filing reports ${candidate.label}`;
    return { reason: 'release-period-differs', detail };
  }
  return null;
}

function isAboutCompany(
  opening: string,
  { securityName, symbol, earlierIds }: EarningsInput,
): boolean {
  const symbols = new Set([symbol, ...earlierIds.keys()].map(compactSymbol));
  const tickers = [...opening.matchAll(TICKER)].map((match) => compactSymbol(match[1] ?? ''));
  if (tickers.some((ticker) => symbols.has(ticker))) return true;
  const name = issuerOf(securityName);
  if (name === null) return tickers.length === 0;
  return isNamedIn(opening, name);
}

/** Sources write `BRK.B`, `BRK-B` and `BRKB`. */
function compactSymbol(symbol: string): string {
  return symbol.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

function isPlausibleLag(periodEnd: LocalDate, { filing }: ReportCandidate): boolean {
  if (filing === null) return false;
  const lagDays = daysBetween(periodEnd, filing.date);
  return lagDays > 0 && lagDays <= LAG_DAYS_MAX;
}

/** Returns what a figure contradicts; null if nothing. */
function findFigureProblem(
  history: StatedFigureHistory,
  candidate: ReportCandidate,
  { candidates, input }: { candidates: Candidates; input: EarningsInput },
): QuarantineReason | null {
  const { isAccepted, fields } = latest(history);
  if (isAccepted === true) return null;
  const prior = candidates.get(yearBefore(candidate.label));
  const known = prior === undefined ? [] : knownValues(fields, prior, { candidate, input });
  const { figure, yearAgo, value } = fields;
  if (
    yearAgo !== null &&
    known.length > 0 &&
    !known.some((each) => isSame(figure, yearAgo, each))
  ) {
    const detail = `${figure} ${value}: the value beside it for the year before is ${yearAgo}, not ${known[0]}`;
    return { reason: 'year-ago-differs', detail };
  }
  if (figure !== 'revenue') return null;
  const earlier = earlierRevenue(fields, candidate, candidates);
  if (earlier === null || isSimilarSize(value, earlier)) return null;
  const detail = `revenue ${value} beside ${earlier} in an earlier quarter`;
  return { reason: 'unlike-known-revenue', detail };
}

/** Losses are written with and without a sign, so only amounts are compared. */
function isSame(figure: StatedFigureObservation['figure'], a: Decimal, b: Decimal): boolean {
  const [left, right] = [absoluteDecimal(a), absoluteDecimal(b)];
  if (figure === 'revenue') return isSameRevenue(left, right);
  return compareDecimals(absoluteDecimal(subtractDecimals(left, right)), SAME_EPS_MAX) <= 0;
}

function isSimilarSize(a: Decimal, b: Decimal): boolean {
  const [small = '0', large = '0'] = [a, b].map(absoluteDecimal).toSorted(compareDecimals);
  return compareDecimals(large, multiplyDecimals(small, REVENUE_FACTOR_MAX)) <= 0;
}

/**
 * Returns the stored values of the same figure for a report, in the same currency: as first and as
 * last filed, on the share basis of the release, and as an earlier release stated it.
 */
function knownValues(
  { figure, currency }: StatedFigureObservation,
  prior: ReportCandidate,
  { candidate, input }: { candidate: ReportCandidate; input: EarningsInput },
): Decimal[] {
  const releasedOn = candidate.filing?.date ?? '';
  const rebased = (value: Decimal, since: LocalDate): Decimal =>
    divideBySplits(
      value,
      input.splits.filter(({ date }) => date > since && date <= releasedOn),
    );
  const filed = filedFigure(figure, prior, currency);
  const stated = prior.stated.flatMap((history) => {
    const { fields } = latest(history);
    return fields.figure === figure && fields.currency === currency ? [fields.value] : [];
  });
  if (figure === 'revenue') {
    return [...(filed === null ? [] : [filed.first, filed.latest]), ...stated];
  }
  const statedOn = prior.filing?.date;
  const restated = filed !== null && filed.latestFiledDate <= releasedOn ? filed : null;
  return [
    ...(filed === null ? [] : [rebased(filed.first, filed.filedDate)]),
    ...(restated === null ? [] : [rebased(restated.latest, restated.latestFiledDate)]),
    ...stated.map((value) => (statedOn === undefined ? value : rebased(value, statedOn))),
  ];
}

function filedFigure(
  figure: StatedFigureObservation['figure'],
  { financials }: ReportCandidate,
  currency: string,
) {
  if (financials === null || figure === 'epsAdjusted') return null;
  const { fields } = latest(financials);
  if (fields.currency !== currency) return null;
  return figure === 'revenue' ? fields.revenue : fields.epsDiluted;
}

/** Returns the revenue of the newest earlier quarter that has one, of at most two years before. */
function earlierRevenue(
  stated: StatedFigureObservation,
  { label }: ReportCandidate,
  candidates: Candidates,
): Decimal | null {
  let before = label;
  for (let quarter = 0; quarter < QUARTERS_BACK_MAX; quarter++) {
    before = quarterBeforeLabel(before);
    const candidate = candidates.get(before);
    const filed =
      candidate === undefined ? null : filedFigure('revenue', candidate, stated.currency);
    if (filed !== null && compareDecimals(filed.first, '0') > 0) return filed.first;
  }
  return null;
}
