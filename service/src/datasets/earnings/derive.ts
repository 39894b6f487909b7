import { periodLabel } from '../../domain/fiscal-period.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import type { FiscalYearEnd } from '../profiles/fiscal-year-ends.ts';
import {
  latest,
  recordIds,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { currencyOf } from './currency.ts';
import {
  type CalendarHistory,
  type ReportCandidate,
  candidatesByPeriod,
  type FiguresHistory,
  type FilingHistory,
  type FinancialsHistory,
  addFigures,
  addUndatedRows,
  NO_DATE,
} from './report-candidate.ts';
import { FIGURE_FIELDS, type Figures, resolveFigures } from './figures.ts';
import type { SourcedValue } from './sourced.ts';
import type { EarningsObservation } from './observation.ts';
import {
  fiscalLabelsOf,
  monthEndOf,
  fiscalCalendarOf,
  type FiscalCalendar,
  alignLabel,
  yearBefore,
} from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';
import { isRefutedGuess } from './refuted-guess.ts';
import { type Release, resolveRelease, sourceOf } from './release.ts';
import { type EarningsEvent, earningsEventId, type Provenance } from './row.ts';
import { type KnownSplit, toTodaysShareBasis, type Rebased } from './share-basis.ts';
import { removeStalePeriods } from './stale-periods.ts';
import {
  isCancelled,
  type Withdrawals,
  addReplaced,
  addCancelled,
  replacedRows,
  type Replacement,
  removeWithdrawn,
  mergeDisputed,
} from './withdrawn-rows.ts';
import { matchFilings } from './match-filings.ts';

export interface EarningsInput {
  securityId: string;
  symbol: string;
  securityName: string | null;
  /** When lists first gave it its present symbol; null when it never had another. */
  renamedAt: Instant | null;
  /** Null when no filing told it. */
  fiscalYearEnd: FiscalYearEnd | null;
  /** Oldest first, each once. */
  splits: readonly KnownSplit[];
  histories: readonly ObservationHistory<EarningsObservation>[];
  /** Those of the threads that left their source, with since when. */
  withdrawals: Withdrawals;
  market: MarketCalendar;
}

export interface DerivedEarnings {
  /** By date, then id. */
  events: EarningsEvent[];
  /** Records that no event could take in. */
  quarantined: Map<number, QuarantineReason>;
  /** Ids of reports that every source took back, with since when. */
  removed: Map<string, Instant>;
}

/**
 * The earnings events of one security, from everything that sources ever said of it. A pure
 * function of the observations: the order in which they arrived cannot matter.
 */
export function deriveEarnings(input: EarningsInput): DerivedEarnings {
  const quarantined = new Map<number, QuarantineReason>();
  function quarantine(history: ObservationHistory<unknown>, reason: QuarantineReason): void {
    for (const id of recordIds(history)) quarantined.set(id, reason);
  }
  const { figures, financials, filings, ...said } = byKind(input.histories);
  const replaced = replacedRows(said.calendars);
  const told = said.calendars.filter((history) => !replaced.has(history));
  const fiscalCalendar = calendarOf(
    input.fiscalYearEnd?.monthDay ?? null,
    told,
    financials,
    figures,
  );
  const { withdrawals, ...current } = removeStalePeriods(
    told,
    financials,
    fiscalCalendar,
    input.withdrawals,
  );
  const [cancelled, calendars] = [
    current.calendars.filter((history) => isCancelled(history, withdrawals)),
    current.calendars.filter((history) => !isCancelled(history, withdrawals)),
  ];
  const candidates = candidatesByPeriod(calendars, financials, fiscalCalendar, quarantine);
  mergeDisputed(candidates);
  matchFilings(candidates, filings, fiscalCalendar, quarantine);
  addUndatedRows(candidates, calendars, fiscalCalendar, quarantine);
  addCancelled(candidates, cancelled, fiscalCalendar);
  addReplaced(candidates, replaced);
  addFigures(candidates, figures, fiscalCalendar, quarantine);
  const fiscalYearOffset = fiscalYearOffsetOf(candidates, fiscalCalendar);
  const events: EarningsEvent[] = [];
  const removed = goneReports(input, replaced, fiscalCalendar);
  for (const candidate of candidates.values()) {
    const retractedAt = removeWithdrawn(candidate, withdrawals);
    const release = resolveRelease(candidate, input.market);
    if (release === null) {
      if (retractedAt !== null)
        removed.set(earningsEventId(input.securityId, candidate.label), retractedAt);
      if (candidate.financials !== null) quarantine(candidate.financials, NO_DATE);
      for (const history of candidate.figures) quarantine(history, NO_DATE);
      continue;
    }
    if (isRefutedGuess(candidate, release, input.market)) {
      const { calendars: guesses, figures: words, financials: filed } = candidate;
      for (const history of [...guesses, ...words, filed])
        if (history !== null) quarantine(history, NO_DATE);
      continue;
    }
    const rebased = toTodaysShareBasis(candidate, release.date, input.splits);
    const event = toEvent(input, rebased.candidate, release, fiscalCalendar, fiscalYearOffset);
    const updatedAt = Math.max(event.updatedAt, retractedAt ?? 0);
    events.push(withSplits({ ...event, updatedAt }, rebased));
  }
  fillYearAgo(events, candidates, input.securityId);
  events.sort((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  return { events, quarantined, removed };
}

/** The reports that rows were of in whose place others stand now, with since when. */
function goneReports(
  { securityId }: EarningsInput,
  replaced: ReadonlyMap<CalendarHistory, Replacement>,
  fiscalCalendar: FiscalCalendar,
): Map<string, Instant> {
  const removed = new Map<string, Instant>();
  for (const [history, { at }] of replaced) {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    if (end == null) continue;
    const label = alignLabel(periodLabel(end, precision ?? 'day'), fiscalCalendar);
    removed.set(earningsEventId(securityId, label), at);
  }
  return removed;
}

function toEvent(
  input: EarningsInput,
  candidate: ReportCandidate,
  release: Release,
  fiscalCalendar: FiscalCalendar,
  fiscalYearOffset: number,
): EarningsEvent {
  const isTied = candidate.filing !== null;
  const currency = currencyOf(candidate);
  const isReleased = isTied || release.reportedAt !== null;
  const figures = resolveFigures(candidate, currency, release.freezeAt, isReleased);
  const isOut = isTied || figures.isGiven || figures.isFiledAbroad;
  const calendars = candidate.calendars.toSorted(byPrecedence('date'));
  const spoken = calendars.map((history) => {
    const observation = latest(history);
    return { history, observation, fields: observation.fields };
  });
  const named = spoken.find(({ fields }) => fields.name != null);
  // Whoever is sure of another day says nothing of this one.
  const claimed = spoken.find(
    ({ fields }) => fields.dateStatus !== undefined && fields.date === release.date,
  );
  const provenance = provenanceOf(release, figures);
  if (claimed !== undefined) {
    provenance.dateStatus = sourceOf(
      claimed.history,
      claimed.observation,
      (fields) => fields.dateStatus,
    );
  }
  if (candidate.financials !== null) {
    const { provider, feed, observations } = candidate.financials;
    provenance.fiscalPeriodEnd = { provider, feed, seenAt: observations[0]?.at ?? 0 };
  }
  if (named !== undefined) {
    provenance.name = sourceOf(named.history, named.observation, (fields) => fields.name);
  }
  if (fiscalCalendar.yearEndMonth !== null && input.fiscalYearEnd !== null) {
    provenance.fiscalYear = input.fiscalYearEnd.source;
  }
  return {
    id: earningsEventId(input.securityId, candidate.label),
    securityId: input.securityId,
    symbol: input.symbol,
    name: issuerOf(named?.fields.name ?? input.securityName),
    date: release.date,
    time: release.time,
    dateStatus: isOut ? 'reported' : (claimed?.fields.dateStatus ?? 'projected'),
    epsEstimate: figures.epsEstimate?.value ?? null,
    eps: figures.eps?.value ?? null,
    revenueEstimate: figures.revenueEstimate?.value ?? null,
    revenue: figures.revenue?.value ?? null,
    estimateCount: figures.estimateCount?.value ?? null,
    epsYearAgo: figures.epsYearAgo?.value ?? null,
    ...fiscalOf(candidate, fiscalCalendar, fiscalYearOffset),
    fiscalPeriodEnd: periodEndOf(candidate),
    epsBasis: figures.epsBasis,
    currency,
    reportedAt: release.reportedAt,
    estimateAsOf: figures.estimateAsOf,
    revenueEstimateAsOf: figures.revenueEstimateAsOf,
    markerAhead: release.markerAhead,
    splitFactor: '1',
    sourceUrl:
      candidate.filing?.sourceUrl ??
      spoken.find(({ fields }) => fields.sourceUrl != null)?.fields.sourceUrl ??
      null,
    provenance,
    updatedAt: Math.max(
      input.renamedAt ?? 0,
      ...Object.values(provenance).map(({ seenAt }) => seenAt),
    ),
  };
}

function byKind(histories: readonly ObservationHistory<EarningsObservation>[]): {
  calendars: CalendarHistory[];
  figures: FiguresHistory[];
  financials: FinancialsHistory[];
  filings: FilingHistory[];
} {
  const of = (kind: EarningsObservation['kind']): ObservationHistory<EarningsObservation>[] =>
    histories.filter((history) => latest(history).fields.kind === kind);
  return {
    calendars: of('calendar') as CalendarHistory[],
    figures: of('figures') as FiguresHistory[],
    financials: of('financials') as FinancialsHistory[],
    filings: of('filing') as FilingHistory[],
  };
}

function calendarOf(
  fiscalYearEnd: string | null,
  calendars: readonly CalendarHistory[],
  financials: readonly FinancialsHistory[],
  figures: readonly FiguresHistory[],
): FiscalCalendar {
  const filed = financials.map((history) => ({
    end: latest(history).fields.periodEnd,
    precision: 'day' as const,
  }));
  const named = calendars.flatMap((history) => {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    return end == null ? [] : [{ end, precision: precision ?? ('day' as const) }];
  });
  const known = [...filed, ...named];
  if (known.length > 0) return fiscalCalendarOf(fiscalYearEnd, known);
  const told = figures.map((history) => {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    return { end, precision };
  });
  return fiscalCalendarOf(fiscalYearEnd, told);
}

/**
 * Some companies name their years by the calendar year in which most of it lies, not the one in
 * which it ends: the difference that most of their own filings show.
 */
function fiscalYearOffsetOf(
  candidates: Map<string, ReportCandidate>,
  fiscalCalendar: FiscalCalendar,
): number {
  const votes = new Map<number, number>();
  for (const { label, financials } of candidates.values()) {
    const own = financials === null ? null : latest(financials).fields.fiscalYear;
    const reckoned = fiscalLabelsOf(label, fiscalCalendar);
    if (own === null || reckoned === null) continue;
    const shift = own - reckoned.fiscalYear;
    if (Math.abs(shift) <= 1) votes.set(shift, (votes.get(shift) ?? 0) + 1);
  }
  const [most] = [...votes].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0] ?? 0;
}

function fiscalOf(
  candidate: ReportCandidate,
  fiscalCalendar: FiscalCalendar,
  fiscalYearOffset: number,
): { fiscalYear: number | null; fiscalQuarter: number | null } {
  const reckoned = fiscalLabelsOf(candidate.label, fiscalCalendar);
  if (reckoned !== null) {
    return { ...reckoned, fiscalYear: reckoned.fiscalYear + fiscalYearOffset };
  }
  const said = [
    ...(candidate.financials === null ? [] : [latest(candidate.financials).fields]),
    ...candidate.calendars.toSorted(byPrecedence('date')).map((history) => latest(history).fields),
  ].find(({ fiscalYear, fiscalQuarter }) => fiscalYear != null && fiscalQuarter != null);
  return { fiscalYear: said?.fiscalYear ?? null, fiscalQuarter: said?.fiscalQuarter ?? null };
}

function periodEndOf(candidate: ReportCandidate): EarningsEvent['fiscalPeriodEnd'] {
  if (candidate.financials !== null) return latest(candidate.financials).fields.periodEnd;
  const named = candidate.calendars
    .toSorted(byPrecedence('date'))
    .map((history) => latest(history).fields)
    .filter(({ fiscalPeriodEnd }) => fiscalPeriodEnd != null);
  const exact = named.find(({ fiscalPeriodPrecision }) => fiscalPeriodPrecision !== 'month');
  if (exact?.fiscalPeriodEnd != null) return exact.fiscalPeriodEnd;
  return named.length > 0 ? monthEndOf(candidate.label) : null;
}

function withSplits(event: EarningsEvent, { splitFactor, splitSource }: Rebased): EarningsEvent {
  if (splitSource === null) return { ...event, splitFactor };
  const provenance = { ...event.provenance, splitFactor: splitSource };
  const updatedAt = Math.max(event.updatedAt, splitSource.seenAt);
  return { ...event, splitFactor, provenance, updatedAt };
}

/**
 * Where no source gave last year's EPS, the event of that quarter does, on the same basis and in the
 * same currency.
 */
function fillYearAgo(
  events: readonly EarningsEvent[],
  candidates: Map<string, ReportCandidate>,
  securityId: string,
): void {
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const label of candidates.keys()) {
    const event = byId.get(earningsEventId(securityId, label));
    const prior = byId.get(earningsEventId(securityId, yearBefore(label)));
    if (event === undefined || prior?.eps == null || event.epsYearAgo !== null) continue;
    if (event.epsBasis === null || event.epsBasis !== prior.epsBasis) continue;
    if (event.currency !== prior.currency) continue;
    event.epsYearAgo = prior.eps;
    const source = prior.provenance.eps;
    if (source === undefined) continue;
    event.provenance.epsYearAgo = source;
    event.updatedAt = Math.max(event.updatedAt, source.seenAt);
  }
}

function provenanceOf(release: Release, figures: Figures): Provenance {
  const provenance: Provenance = { date: release.dateSource, time: release.timeSource };
  if (release.reportedSource !== null) provenance.reportedAt = release.reportedSource;
  for (const field of FIGURE_FIELDS) {
    const sourced: SourcedValue<unknown> | null = figures[field];
    const source = sourced?.source ?? figures.withdrawn[field];
    if (source !== undefined) provenance[field] = source;
  }
  return provenance;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
