import { periodLabel } from '../../domain/fiscal-period.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import { alignLabel, quarterBefore, quarterEndEstimator } from './fiscal-calendar.ts';
import type { EarningsObservation, ReportFigures } from './observation.ts';
import { byPrecedence } from './precedence.ts';
import {
  type CalendarHistory,
  candidateAt,
  copyCandidates,
  type Derivation,
  quarterEnds,
  type ReportCandidate,
  type Replacement,
  scheduledDate,
  type Withdrawals,
} from './report-candidate.ts';

/**
 * Separates rows that their source replaced, which means that its list later shows a different
 * fiscal period for the same company and date. If a company reports two quarters on one day, one
 * list has both. A row without a period replaces nothing.
 */
export function separateReplacedRows(derivation: Derivation): Derivation {
  const replaced = new Map<CalendarHistory, Replacement>();
  const named = derivation.calendars.filter(
    (history) => latest(history).fields.fiscalPeriodEnd != null,
  );
  const lists = Map.groupBy(named, (history) =>
    [history.provider, history.feed, history.entityKey, latest(history).fields.date].join('\n'),
  );
  for (const histories of lists.values()) {
    for (const history of histories) {
      const [first] = histories
        .flatMap((replacement) => {
          const at = replacedAt(history, replacement);
          return at === null ? [] : [{ replacement, at }];
        })
        .toSorted((a, b) => a.at - b.at);
      if (first !== undefined) replaced.set(history, first);
    }
  }
  const calendars = derivation.calendars.filter((history) => !replaced.has(history));
  return { ...derivation, calendars, replaced };
}

function replacedAt(history: CalendarHistory, other: CalendarHistory): Instant | null {
  if (latest(other).at <= latest(history).at) return null;
  const observedAt = new Set(history.observations.map(({ at }) => at));
  if (other.observations.some(({ at }) => observedAt.has(at))) return null;
  return other.observations.find(({ at }) => at > latest(history).at)?.at ?? null;
}

/**
 * Adds replaced rows to the reports of their replacements, because the expectations for a report
 * and its session were published under the period that the report had at that time.
 */
export function addReplacedRows(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  for (const history of derivation.replaced.keys()) {
    let current = history;
    let next = derivation.replaced.get(current);
    while (next !== undefined) {
      current = next.replacement;
      next = derivation.replaced.get(current);
    }
    const report = [...candidates.values()].find(({ calendars }) => calendars.includes(current));
    report?.replaced.push(history);
  }
  return { ...derivation, candidates };
}

/**
 * Merges candidates that sources schedule on the same day for different quarters, because a company
 * publishes one report a day. The quarter with filed figures wins, then the preferred source's
 * quarter. If a single source lists both quarters, there are two reports.
 */
export function mergeDisputedPeriods(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  const scheduled = [...candidates.values()]
    .filter(({ calendars }) => calendars.length > 0)
    .toSorted(preferFiled);
  for (const sameDay of Map.groupBy(scheduled, scheduledDate).values()) {
    const [preferred, ...others] = sameDay;
    if (preferred === undefined) continue;
    for (const other of others) {
      if (other.financials !== null || shareFeed(preferred, other)) continue;
      preferred.calendars.push(...other.calendars);
      candidates.delete(other.label);
    }
  }
  return { ...derivation, candidates };
}

function preferFiled(a: ReportCandidate, b: ReportCandidate): number {
  const filed = Number(a.financials === null) - Number(b.financials === null);
  return filed || byPrecedence('date')(preferredCalendar(a), preferredCalendar(b));
}

function preferredCalendar(candidate: ReportCandidate): CalendarHistory {
  const [first] = candidate.calendars.toSorted(byPrecedence('date'));
  if (first === undefined) throw new RangeError('a candidate without calendar rows');
  return first;
}

function shareFeed(a: ReportCandidate, b: ReportCandidate): boolean {
  const feeds = new Set(a.calendars.map(feedOf));
  return b.calendars.some((history) => feeds.has(feedOf(history)));
}

function feedOf({ provider, feed }: CalendarHistory): string {
  return `${provider}/${feed}`;
}

/**
 * Returns whether withdrawing the history would change anything. Most histories already have
 * results, and checking the lists for all of them took a third of a second for 300 companies with
 * 12 quarters each.
 */
export function mayBeWithdrawn(history: ObservationHistory<EarningsObservation>): boolean {
  const { fields } = latest(history);
  return fields.kind === 'calendar' && !hasResults(fields);
}

function hasResults({ eps, revenue }: ReportFigures): boolean {
  return eps != null || revenue != null;
}

/**
 * Separates cancelled rows: rows withdrawn before their date and without results. Their date and
 * quarter no longer indicate which report a filing or a different source refers to.
 */
export function separateCancelledRows(derivation: Derivation): Derivation {
  const { withdrawals } = derivation;
  const isCancelled = (history: CalendarHistory): boolean => {
    const withdrawnAt = withdrawals.get(history);
    const { fields } = latest(history);
    if (withdrawnAt === undefined || hasResults(fields)) return false;
    return withdrawnAt < newYorkInstant(fields.date, 0);
  };
  return {
    ...derivation,
    calendars: derivation.calendars.filter((history) => !isCancelled(history)),
    cancelled: derivation.calendars.filter(isCancelled),
  };
}

/** Adds each cancelled row to the report that it was about. */
export function addCancelledRows(derivation: Derivation): Derivation {
  const { fiscalCalendar, cancelled } = derivation;
  const candidates = copyCandidates(derivation.candidates);
  const endOf = quarterEndEstimator(quarterEnds(candidates));
  for (const history of cancelled) {
    const { date, fiscalPeriodEnd: end, fiscalPeriodPrecision } = latest(history).fields;
    const label =
      end == null
        ? quarterBefore(date, fiscalCalendar, endOf)
        : alignLabel(periodLabel(end, fiscalPeriodPrecision ?? 'day'), fiscalCalendar);
    candidateAt(candidates, label, end != null).cancelled.push(history);
  }
  return { ...derivation, candidates };
}

/**
 * Removes withdrawn rows from a report: all of them while the report is not out, and only the
 * cancelled ones afterwards. Once a report is out, its replaced rows are used again for values that
 * the remaining rows do not have. `retractedAt` is the time when all sources preferred over the
 * source of the current date had withdrawn their dates; null if there are none.
 */
export function removeWithdrawn(
  candidate: ReportCandidate,
  withdrawals: Withdrawals,
): { report: ReportCandidate; retractedAt: Instant | null } {
  const isReportOut = isOut(candidate);
  const ranked = [...candidate.calendars, ...candidate.cancelled].toSorted(byPrecedence('date'));
  const removed: ReadonlySet<ObservationHistory<object>> = new Set(
    isReportOut ? candidate.cancelled : withdrawals.keys(),
  );
  const firstCurrent = ranked.findIndex((history) => !removed.has(history));
  const retracted = firstCurrent === -1 ? ranked : ranked.slice(0, firstCurrent);
  const current = ranked.filter((history) => !removed.has(history));
  const calendars = [...current, ...(isReportOut ? candidate.replaced : [])];
  const instants = retracted.map((history) => withdrawals.get(history) ?? 0);
  return {
    report: { ...candidate, calendars },
    retractedAt: instants.length === 0 ? null : Math.max(...instants),
  };
}

function isOut({ filing, financials, calendars, replaced, figures }: ReportCandidate): boolean {
  if (filing !== null || financials !== null) return true;
  return [...calendars, ...replaced, ...figures].some((history) =>
    hasResults(latest<ReportFigures>(history).fields),
  );
}
