import { periodLabel } from '../../domain/fiscal-period.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { EarningsObservation, ReportFigures } from './observation.ts';
import {
  type CalendarHistory,
  type ReportCandidate,
  candidateAt,
  knownEnds,
  scheduledDate,
} from './report-candidate.ts';
import { type FiscalCalendar, quarterBefore, alignLabel, usualEnds } from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';

/** Since when sources have taken rows back; of what stands nothing. */
export type Withdrawals = ReadonlyMap<ObservationHistory<object>, Instant>;

/** Another row stands in its place, and since when. */
export interface Replacement {
  by: CalendarHistory;
  at: Instant;
}

/**
 * Rows in whose place their list names the same company on the same day for another fiscal period.
 * Who reports two quarters on one day was listed with both at a time; a row that names no period
 * replaces none.
 */
export function replacedRows(
  calendars: readonly CalendarHistory[],
): Map<CalendarHistory, Replacement> {
  const replaced = new Map<CalendarHistory, Replacement>();
  const named = calendars.filter((history) => latest(history).fields.fiscalPeriodEnd != null);
  const lists = Map.groupBy(named, (history) =>
    [history.provider, history.feed, history.entityKey, latest(history).fields.date].join('\n'),
  );
  for (const histories of lists.values()) {
    for (const history of histories) {
      const [first] = histories
        .flatMap((by) => {
          const at = replacedAt(history, by);
          return at === null ? [] : [{ by, at }];
        })
        .toSorted((a, b) => a.at - b.at);
      if (first !== undefined) replaced.set(history, first);
    }
  }
  return replaced;
}

function replacedAt(history: CalendarHistory, other: CalendarHistory): Instant | null {
  if (latest(other).at <= latest(history).at) return null;
  const seen = new Set(history.observations.map(({ at }) => at));
  if (other.observations.some(({ at }) => seen.has(at))) return null;
  return other.observations.find(({ at }) => at > latest(history).at)?.at ?? null;
}

/**
 * Notes replaced rows with the reports of those in their place: what was expected of a report, and at
 * which hour, was said under the period that it had then.
 */
export function addReplaced(
  candidates: Map<string, ReportCandidate>,
  replaced: ReadonlyMap<CalendarHistory, Replacement>,
): void {
  for (const history of replaced.keys()) {
    let now = history;
    for (let next = replaced.get(now); next !== undefined; next = replaced.get(now)) now = next.by;
    const candidate = [...candidates.values()].find(({ calendars }) => calendars.includes(now));
    candidate?.replaced.push(history);
  }
}

/**
 * A company has one report a day: where sources name different quarters for the report of one day, the
 * quarter with filed figures counts, else that of the source believed first. A source that names both
 * quarters itself means two reports.
 */
export function mergeDisputed(candidates: Map<string, ReportCandidate>): void {
  const scheduled = [...candidates.values()]
    .filter(({ calendars }) => calendars.length > 0)
    .toSorted((a, b) => byBelief(a, b));
  for (const sameDay of Map.groupBy(scheduled, scheduledDate).values()) {
    const [kept, ...others] = sameDay;
    if (kept === undefined) continue;
    for (const other of others) {
      if (other.financials !== null || haveFeedInCommon(kept, other)) continue;
      kept.calendars.push(...other.calendars);
      candidates.delete(other.label);
    }
  }
}

function byBelief(a: ReportCandidate, b: ReportCandidate): number {
  const filed = Number(a.financials === null) - Number(b.financials === null);
  return filed || byPrecedence('date')(mostBelieved(a), mostBelieved(b));
}

function mostBelieved(candidate: ReportCandidate): CalendarHistory {
  const [first] = candidate.calendars.toSorted(byPrecedence('date'));
  if (first === undefined) throw new RangeError('a draft that no calendar speaks of');
  return first;
}

function haveFeedInCommon(a: ReportCandidate, b: ReportCandidate): boolean {
  const feeds = new Set(a.calendars.map(feedOf));
  return b.calendars.some((history) => feeds.has(feedOf(history)));
}

function feedOf({ provider, feed }: CalendarHistory): string {
  return `${provider}/${feed}`;
}

/**
 * Whether a thread can be taken back at all: most are of reports that are out, by their own results,
 * and asking whether lists lack them took a third of a second for 300 companies with 12 quarters each.
 */
export function mayBeWithdrawn(history: ObservationHistory<EarningsObservation>): boolean {
  const { fields } = latest(history);
  return fields.kind === 'calendar' && !hasResults(fields);
}

function hasResults({ eps, revenue }: ReportFigures): boolean {
  return eps != null || revenue != null;
}

/**
 * Whether a row left its source before its day came, and so with nothing to tell of results: its day
 * and quarter were called off, and no longer say which report a filing or another source means.
 */
export function isCancelled(history: CalendarHistory, withdrawals: Withdrawals): boolean {
  const since = withdrawals.get(history);
  const { fields } = latest(history);
  return since !== undefined && since < newYorkInstant(fields.date, 0) && !hasResults(fields);
}

/** Notes such rows with the reports that they were of. */
export function addCancelled(
  candidates: Map<string, ReportCandidate>,
  cancelled: readonly CalendarHistory[],
  fiscalCalendar: FiscalCalendar,
): void {
  const endOf = usualEnds(knownEnds(candidates));
  for (const history of cancelled) {
    const { date, fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    const label =
      end == null
        ? quarterBefore(date, fiscalCalendar, endOf)
        : alignLabel(periodLabel(end, precision ?? 'day'), fiscalCalendar);
    candidateAt(candidates, label, end != null).cancelled.push(history);
  }
}

/**
 * Takes rows that left their source out of a report: all of them while nothing shows it to be out,
 * later those that left before their day. Of one that is out, what was said before its source named
 * another period counts again, where it says no more itself. Returns since when the day that stood is
 * given up by those who were believed first; null when it stands.
 */
export function removeWithdrawn(
  candidate: ReportCandidate,
  withdrawals: Withdrawals,
): Instant | null {
  const isReportOut = isOut(candidate);
  const ranked = [...candidate.calendars, ...candidate.cancelled].toSorted(byPrecedence('date'));
  const removed: ReadonlySet<ObservationHistory<object>> = isReportOut
    ? new Set(candidate.cancelled)
    : new Set(withdrawals.keys());
  const standing = ranked.findIndex((history) => !removed.has(history));
  const retracted = standing === -1 ? ranked : ranked.slice(0, standing);
  const earlier = isReportOut ? candidate.replaced : [];
  candidate.calendars = [...ranked.filter((history) => !removed.has(history)), ...earlier];
  return retracted.length === 0
    ? null
    : Math.max(...retracted.map((history) => withdrawals.get(history) ?? 0));
}

function isOut({ filing, financials, calendars, replaced, figures }: ReportCandidate): boolean {
  if (filing !== null || financials !== null) return true;
  return [...calendars, ...replaced, ...figures].some((history) => {
    return hasResults(latest<ReportFigures>(history).fields);
  });
}
