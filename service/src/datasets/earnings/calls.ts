import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { CallObservation } from './observation.ts';
import { sourceOf } from './release.ts';
import type { QuarantinedHistory } from './report-candidate.ts';
import type { EarningsEvent } from './row.ts';

export type CallHistory = ObservationHistory<CallObservation>;

/** A call follows a report on Friday evening on Monday morning at the latest. */
const DAYS_AFTER_MAX = 3;
/** A report dated by its filing may follow the call by a day. */
const DAYS_BEFORE_MAX = 1;

/** Returns whether a call at this time is about the report of a day. */
export function isCallFor(callAt: Instant, date: LocalDate): boolean {
  const days = daysBetween(date, newYorkDate(callAt));
  return days >= -DAYS_BEFORE_MAX && days <= DAYS_AFTER_MAX;
}

/**
 * Adds to each report the call that a source saw last, and quarantines calls without a report. A
 * call never moves a report: once a report has moved, the call for its old date no longer applies.
 */
export function addCalls(
  events: readonly EarningsEvent[],
  calls: readonly CallHistory[],
): { events: EarningsEvent[]; quarantined: QuarantinedHistory[] } {
  const newestFirst = calls.toSorted(
    (a, b) => latest(b).at - latest(a).at || compareText(nameOf(a), nameOf(b)),
  );
  const withCalls = events.map((event) => {
    const call = newestFirst.find((history) => isAbout(history, event));
    return call === undefined ? event : withCall(event, call);
  });
  const quarantined = calls
    .filter((history) => !events.some((event) => isAbout(history, event)))
    .map((history) => ({ history, reason: NO_REPORT }));
  return { events: withCalls, quarantined };
}

const NO_REPORT = {
  reason: 'release-date-unknown',
  detail: 'the call is known, no report is near its day',
};

function isAbout(history: CallHistory, { date }: EarningsEvent): boolean {
  return isCallFor(latest(history).fields.callAt, date);
}

function withCall(event: EarningsEvent, history: CallHistory): EarningsEvent {
  const newest = latest(history);
  const source = sourceOf(history, newest, ({ callAt }) => callAt);
  return {
    ...event,
    callAt: newest.fields.callAt,
    provenance: { ...event.provenance, callAt: source },
    updatedAt: Math.max(event.updatedAt, source.seenAt),
  };
}

function nameOf({ provider, feed, naturalKey }: CallHistory): string {
  return `${provider}/${feed}/${naturalKey}`;
}
