import { periodLabel } from '../../domain/fiscal-period.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import {
  latest,
  type ObservationHistory,
  recordIds,
} from '../source-records/observation-history.ts';
import { addFigures, addUndatedRows, groupByPeriod } from './assign-rows.ts';
import { addCalls, type CallHistory } from './calls.ts';
import { completeEps } from './eps-basis.ts';
import { type CompanyContext, fiscalYearOffsetOf, toEvent } from './event.ts';
import type { ResolvedReport } from './alternatives.ts';
import { alignLabel, fiscalCalendarOf, type FiscalPeriod } from './fiscal-calendar.ts';
import { dateByCoverPages } from './cover-dates.ts';
import { addStatedResults } from './stated-results.ts';
import { matchFilings } from './match-filings.ts';
import type {
  CalendarObservation,
  EarningsObservation,
  FiguresObservation,
} from './observation.ts';
import { projectNextReport } from './projected-report.ts';
import { periodEndRule } from './period-end.ts';
import { isRefutedProjection, type Release, resolveRelease } from './release.ts';
import {
  type CalendarHistory,
  type Derivation,
  type EarningsInput,
  type FiguresHistory,
  type FilingHistory,
  type FinancialsHistory,
  NO_DATE,
  quarterEnds,
  type QuarantinedHistory,
  type ReleaseHistory,
  type ReportCandidate,
  type StatedFigureHistory,
} from './report-candidate.ts';
import { eventIdOf, idOf } from './event-id.ts';
import type { EarningsEvent } from './row.ts';
import { removeStalePeriods } from './stale-periods.ts';
import {
  addCancelledRows,
  addReplacedRows,
  mergeDisputedPeriods,
  removeWithdrawn,
  separateCancelledRows,
  separateReplacedRows,
} from './withdrawn-rows.ts';

/**
 * Turns observation histories into report candidates, one per fiscal quarter. Each step is a pure
 * function of the previous derivation. The order matters:
 *
 * 1. Rows that their source replaced have a wrong period, so they are removed first: they must
 *    not influence the fiscal calendar.
 * 2. The fiscal calendar must be known before any period becomes a label.
 * 3. Stale periods are recognized by filed figures and labels. They must not move a report.
 *    The step splits histories and copies their withdrawals, which step 4 reads.
 * 4. Cancelled rows say nothing about the quarter of any other row.
 * 5. Rows and financial statements with a period create the candidates.
 * 6. Candidates for one day are merged before filings are matched: a filing belongs to one report.
 * 7. Filings match scheduled dates. For quarters that no calendar schedules, they set the date.
 * 8. Press releases belong to a report through their filing, and are checked against the reports
 *    before it.
 * 9. Rows without a period join the nearest date, so all dates, including filing dates, must be
 *    known.
 * 10. Cancelled rows create candidates that rows without a period must not join.
 * 11. Replaced rows join the candidates of their replacements, after those are final.
 * 12. The next report is projected if no source dates it, so all dates must be known.
 * 13. Figures without a date create no candidates, so all candidates must already exist.
 */
const STEPS: readonly ((derivation: Derivation) => Derivation)[] = [
  separateReplacedRows,
  determineFiscalCalendar,
  removeStalePeriods,
  separateCancelledRows,
  groupByPeriod,
  mergeDisputedPeriods,
  matchFilings,
  dateByCoverPages,
  addStatedResults,
  addUndatedRows,
  addCancelledRows,
  addReplacedRows,
  projectNextReport,
  addFigures,
];

export interface DerivedEarnings {
  /** The events in the same order, with everything from which they were derived. */
  reports: ResolvedReport[];
  /** Ordered by date, then id. */
  events: EarningsEvent[];
  /** Records that no event uses. */
  quarantined: Map<number, QuarantineReason>;
  /** Withdrawal instants, by id, for reports that all sources withdrew. */
  removed: Map<string, Instant>;
}

/**
 * Derives the earnings events of one security from all its observations. A pure function: the
 * arrival order does not matter. The result changes with the day only through splits that take
 * effect and through projected days that pass.
 */
export function deriveEarnings(input: EarningsInput): DerivedEarnings {
  const derivation = STEPS.reduce((current, step) => step(current), initialDerivation(input));
  const { candidates, fiscalCalendar } = derivation;
  const context: CompanyContext = {
    input,
    fiscalCalendar,
    fiscalYearOffset: fiscalYearOffsetOf(candidates, fiscalCalendar),
    periodEndOf: periodEndRule(quarterEnds(candidates)),
  };
  const outcomes = [...candidates.values()].map((candidate) =>
    resolveCandidate(candidate, derivation, context),
  );
  const byLabel = new Map(
    outcomes.flatMap(({ label, event }) => (event === null ? [] : [[label, event]])),
  );
  const joined = addCalls(completeEps(byLabel), historiesOfKind(input, 'call') as CallHistory[]);
  const events = joined.events.toSorted(
    (a, b) => compareText(a.date, b.date) || compareText(a.id, b.id),
  );
  const resolved = new Map(
    outcomes.map(({ event, candidate, release }) => [event?.id, { candidate, release }]),
  );
  return {
    events,
    reports: events.flatMap((event) => {
      const { candidate, release = null } = resolved.get(event.id) ?? {};
      return candidate === undefined || release === null ? [] : [{ event, candidate, release }];
    }),
    quarantined: reasonsByRecord([
      ...derivation.quarantined,
      ...joined.quarantined,
      ...outcomes.flatMap(({ quarantined }) => quarantined),
    ]),
    removed: new Map([
      ...replacedReports(derivation),
      ...outcomes.flatMap(({ removed }) => (removed ? [removed] : [])),
    ]),
  };
}

function initialDerivation(input: EarningsInput): Derivation {
  return {
    input,
    calendars: historiesOfKind(input, 'calendar') as CalendarHistory[],
    figures: historiesOfKind(input, 'figures') as FiguresHistory[],
    financials: historiesOfKind(input, 'financials') as FinancialsHistory[],
    filings: historiesOfKind(input, 'filing') as FilingHistory[],
    releases: historiesOfKind(input, 'release') as ReleaseHistory[],
    stated: historiesOfKind(input, 'stated-figure') as StatedFigureHistory[],
    cancelled: [],
    replaced: new Map(),
    withdrawals: input.withdrawals,
    fiscalCalendar: { phase: null, yearEndMonth: null },
    candidates: new Map(),
    quarantined: [],
  };
}

function historiesOfKind(
  { histories }: EarningsInput,
  kind: EarningsObservation['kind'],
): ObservationHistory<EarningsObservation>[] {
  return histories.filter((history) => latest(history).fields.kind === kind);
}

/**
 * Determines the fiscal calendar from the stated fiscal year end and the periods of filings and
 * calendars. If these have no periods, uses those of reported figures.
 */
function determineFiscalCalendar(derivation: Derivation): Derivation {
  const { input, calendars, figures, financials } = derivation;
  const yearEnd = input.fiscalYearEnd?.monthDay ?? null;
  const filed = financials.map((history): FiscalPeriod => ({
    end: latest(history).fields.periodEnd,
    precision: 'day',
  }));
  const named = [...filed, ...calendars.flatMap(namedPeriod)];
  const periods = named.length > 0 ? named : figures.flatMap(namedPeriod);
  return { ...derivation, fiscalCalendar: fiscalCalendarOf(yearEnd, periods) };
}

function namedPeriod(history: CalendarHistory | FiguresHistory): FiscalPeriod[] {
  const { fiscalPeriodEnd: end, fiscalPeriodPrecision } = latest<
    CalendarObservation | FiguresObservation
  >(history).fields;
  return end == null ? [] : [{ end, precision: fiscalPeriodPrecision ?? 'day' }];
}

interface CandidateOutcome {
  label: string;
  candidate: ReportCandidate;
  release: Release | null;
  event: EarningsEvent | null;
  quarantined: readonly QuarantinedHistory[];
  /** Id and withdrawal instant of a report that all its sources withdrew. */
  removed: readonly [id: string, at: Instant] | null;
}

/** Returns the event for a candidate. A candidate without a plausible date has none. */
function resolveCandidate(
  candidate: ReportCandidate,
  { withdrawals, input }: Derivation,
  context: CompanyContext,
): CandidateOutcome {
  const { label } = candidate;
  const id = eventIdOf(input, candidate);
  const { report, retractedAt } = removeWithdrawn(candidate, withdrawals);
  const release = resolveRelease(report, input.market);
  const { calendars, figures, financials } = report;
  const outcome = { label, candidate: report, release };
  const filed = financials === null ? [] : [financials];
  if (release === null) {
    return {
      ...outcome,
      event: null,
      quarantined: [...filed, ...figures].map((history) => ({ history, reason: NO_DATE })),
      removed: retractedAt === null ? null : [id, retractedAt],
    };
  }
  if (isRefutedProjection(report, release, input.market)) {
    const unused = [...calendars, ...figures, ...filed];
    const quarantined = unused.map((history) => ({ history, reason: NO_DATE }));
    return { ...outcome, event: null, quarantined, removed: null };
  }
  const event = toEvent(report, release, { ...context, id });
  const updatedAt = Math.max(event.updatedAt, retractedAt ?? 0);
  return { ...outcome, event: { ...event, updatedAt }, quarantined: [], removed: null };
}

/**
 * Returns the ids and removal times of reports whose rows were replaced. A current report with the
 * same id is kept.
 */
function replacedReports({ input, replaced, fiscalCalendar }: Derivation): Map<string, Instant> {
  const removed = new Map<string, Instant>();
  for (const [history, { at }] of replaced) {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    if (end == null) continue;
    const label = alignLabel(periodLabel(end, precision ?? 'day'), fiscalCalendar);
    removed.set(idOf(input, label, [history]), at);
  }
  return removed;
}

function reasonsByRecord(
  quarantined: readonly QuarantinedHistory[],
): Map<number, QuarantineReason> {
  const reasons = new Map<number, QuarantineReason>();
  for (const { history, reason } of quarantined) {
    for (const id of recordIds(history)) reasons.set(id, reason);
  }
  return reasons;
}
