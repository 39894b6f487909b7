import { periodLabel } from '../../domain/fiscal-period.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import { latest } from '../source-records/observation-history.ts';
import { alignLabel, quarterAfter, quarterBefore, quarterEndEstimator } from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';
import {
  type CalendarHistory,
  candidateAt,
  copyCandidates,
  type Derivation,
  type FinancialsHistory,
  NO_DATE,
  type QuarantinedHistory,
  quarterEnds,
  type ReportCandidate,
  scheduledDate,
} from './report-candidate.ts';

/**
 * A report without a period is considered the same as a dated report at most this many days away.
 */
const SAME_REPORT_DAYS_MAX = 45;

/** Creates a candidate for each quarter that appears in a calendar or a financial statement. */
export function groupByPeriod(derivation: Derivation): Derivation {
  const { calendars, financials, fiscalCalendar } = derivation;
  const candidates = new Map<string, ReportCandidate>();
  const quarantined = [...derivation.quarantined];
  for (const history of financials) {
    const label = periodLabel(latest(history).fields.periodEnd, 'day');
    const candidate = candidateAt(candidates, alignLabel(label, fiscalCalendar));
    const { financials: other } = candidate;
    const rejected = other === null ? null : earlierPeriod(other, history);
    candidate.financials = rejected === history ? other : history;
    if (rejected !== null) {
      const detail = 'another quarter has the same label';
      quarantined.push({ history: rejected, reason: { reason: 'period-collision', detail } });
    }
  }
  for (const history of calendars) {
    const { fiscalPeriodEnd, fiscalPeriodPrecision } = latest(history).fields;
    if (fiscalPeriodEnd == null) continue;
    const label = periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision ?? 'day');
    candidateAt(candidates, alignLabel(label, fiscalCalendar)).calendars.push(history);
  }
  return { ...derivation, candidates, quarantined };
}

function earlierPeriod(a: FinancialsHistory, b: FinancialsHistory): FinancialsHistory {
  return latest(a).fields.periodEnd < latest(b).fields.periodEnd ? a : b;
}

/**
 * Adds each calendar row without a period to the report with the nearest date within 45 days. If
 * two reports are equally near, the row is quarantined, or added to the earlier report if an
 * operator accepted it. A row that is not near any report becomes a report itself.
 */
export function addUndatedRows(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  const quarantined = [...derivation.quarantined];
  const dated = [...candidates.values()].flatMap((candidate) => {
    const date = dateOf(candidate);
    return date === null ? [] : [{ candidate, date }];
  });
  const endOf = quarterEndEstimator(quarterEnds(candidates));
  const isolated = new Map<string, CalendarHistory[]>();
  for (const history of derivation.calendars) {
    const { fiscalPeriodEnd, date } = latest(history).fields;
    if (fiscalPeriodEnd != null) continue;
    const [first, second] = dated
      .map((report) => ({ ...report, days: Math.abs(daysBetween(report.date, date)) }))
      .filter(({ days }) => days <= SAME_REPORT_DAYS_MAX)
      .toSorted((a, b) => a.days - b.days || compareText(a.date, b.date));
    const isTie = first !== undefined && first.days === second?.days;
    if (isTie && latest(history).isAccepted !== true) {
      const detail = `${date} is equally near to two reports`;
      quarantined.push({ history, reason: { reason: 'ambiguous-period', detail } });
    } else if (first !== undefined) {
      first.candidate.calendars.push(history);
    } else {
      const label = quarterBefore(date, derivation.fiscalCalendar, endOf);
      isolated.set(label, [...(isolated.get(label) ?? []), history]);
    }
  }
  addIsolated(candidates, isolated, quarantined);
  return { ...derivation, candidates, quarantined };
}

/**
 * Assigns each row to the quarter that ended before its date. If the company's quarters are not
 * calendar quarters, two of its reports may fall into the same calendar quarter, such as 10 April
 * and 20 June. The later report is then assigned to the next quarter. Processes the oldest rows
 * first, so that a future report never changes the quarter of a past one.
 */
function addIsolated(
  candidates: Map<string, ReportCandidate>,
  isolated: ReadonlyMap<string, readonly CalendarHistory[]>,
  quarantined: QuarantinedHistory[],
): void {
  const existing = new Set(candidates.keys());
  let last = '';
  for (const [label, rows] of [...isolated].toSorted(([a], [b]) => compareText(a, b))) {
    const preferred = rows.toSorted(byPrecedence('date'));
    if (existing.has(label)) {
      for (const row of preferred) addToExisting(candidates, row, label, quarantined);
      continue;
    }
    for (const report of splitIntoReports(preferred, label, quarantined)) {
      const freeLabel = last < label ? label : quarterAfter(label);
      const isTaken = freeLabel <= last || existing.has(freeLabel);
      for (const row of report) {
        if (isTaken) quarantined.push(otherReport(row, label));
        else candidateAt(candidates, freeLabel, false).calendars.push(row);
      }
      if (!isTaken) last = freeLabel;
    }
  }
}

/** Adds a row to an existing report, or quarantines the row if the report's date is far away. */
function addToExisting(
  candidates: Map<string, ReportCandidate>,
  row: CalendarHistory,
  label: string,
  quarantined: QuarantinedHistory[],
): void {
  const candidate = candidateAt(candidates, label);
  const date = dateOf(candidate);
  const isSameReport = date === null || isNear(date, row) || latest(row).isAccepted === true;
  if (isSameReport) candidate.calendars.push(row);
  else quarantined.push(otherReport(row, label));
}

/**
 * Splits the rows for one quarter into reports, oldest first. Expects preferred rows first. A row
 * far from all others starts a separate report, unless it may be an outdated or updated date for
 * the same report: projected dates move by months.
 */
function splitIntoReports(
  preferred: readonly CalendarHistory[],
  label: string,
  quarantined: QuarantinedHistory[],
): CalendarHistory[][] {
  const reports: { first: CalendarHistory; rows: CalendarHistory[] }[] = [];
  for (const row of preferred) {
    const isAccepted = latest(row).isAccepted === true;
    const report =
      reports.find(({ first }) => isNear(latest(first).fields.date, row)) ??
      (isAccepted ? reports[0] : undefined);
    if (report !== undefined) report.rows.push(row);
    else if (reports.every(({ first }) => areTwoReports(first, row))) {
      reports.push({ first: row, rows: [row] });
    } else quarantined.push(otherReport(row, label));
  }
  return reports
    .toSorted((a, b) => compareText(latest(a.first).fields.date, latest(b.first).fields.date))
    .map(({ rows }) => rows);
}

/**
 * Returns true if two distant rows must belong to two reports: neither date is projected, and the
 * quarters differ.
 */
function areTwoReports(a: CalendarHistory, b: CalendarHistory): boolean {
  const [first, second] = [latest(a).fields, latest(b).fields];
  if (first.dateStatus === 'projected' || second.dateStatus === 'projected') return false;
  if (first.fiscalYear == null || first.fiscalQuarter == null) return true;
  return first.fiscalYear !== second.fiscalYear || first.fiscalQuarter !== second.fiscalQuarter;
}

/** Adds figures without a report date to the report for their quarter, or quarantines them. */
export function addFigures(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  const quarantined = [...derivation.quarantined];
  for (const history of derivation.figures) {
    const { fiscalPeriodEnd, fiscalPeriodPrecision } = latest(history).fields;
    const label = periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision);
    const candidate = candidates.get(alignLabel(label, derivation.fiscalCalendar));
    if (candidate !== undefined) candidate.figures.push(history);
    else quarantined.push({ history, reason: NO_DATE });
  }
  return { ...derivation, candidates, quarantined };
}

function dateOf(candidate: ReportCandidate): LocalDate | null {
  return scheduledDate(candidate) ?? candidate.filing?.date ?? null;
}

function isNear(date: LocalDate, row: CalendarHistory): boolean {
  return Math.abs(daysBetween(date, latest(row).fields.date)) <= SAME_REPORT_DAYS_MAX;
}

function otherReport(history: CalendarHistory, label: string): QuarantinedHistory {
  const detail = `the quarter ${label} has a report on another date`;
  return { history, reason: { reason: 'ambiguous-period', detail } };
}
