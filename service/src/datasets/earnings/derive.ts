import { periodLabel } from '../../domain/fiscal-period.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import type { HeldReason } from '../dataset.ts';
import type { FiscalYearEnd } from '../profiles/fiscal-year-ends.ts';
import {
  latest,
  recordIds,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { currencyOf } from './currency.ts';
import {
  type CalendarHistory,
  type Draft,
  draftsOfPeriods,
  type FiguresHistory,
  type FilingHistory,
  type FinancialsHistory,
  joinFigures,
  joinUndated,
  NO_DATE,
} from './report-candidate.ts';
import { FIGURE_FIELDS, type Figures, settleFigures } from './figures.ts';
import type { Sourced } from './sourced.ts';
import type { EarningsObservation } from './observation.ts';
import {
  fiscalLabelsOf,
  monthEndOf,
  periodGrid,
  type PeriodGrid,
  snapToGrid,
  yearBefore,
} from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';
import { isRefutedGuess } from './refuted-guess.ts';
import { type Release, settleRelease, sourceOf } from './release.ts';
import { type EarningsEvent, earningsEventId, type Provenance } from './row.ts';
import { type KnownSplit, putOnTodaysBasis, type Rebased } from './share-basis.ts';
import { takeOffStalePeriods } from './stale-periods.ts';
import {
  isStruck,
  type Left,
  noteReplaced,
  noteStruck,
  replacedRows,
  type Replacement,
  takeOutLeft,
  uniteDisputed,
} from './withdrawn-rows.ts';
import { tieFilings } from './match-filings.ts';

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
  left: Left;
  market: MarketCalendar;
}

export interface DerivedEarnings {
  /** By date, then id. */
  events: EarningsEvent[];
  /** Records that no event could take in. */
  held: Map<number, HeldReason>;
  /** Ids of reports that every source took back, with since when. */
  gone: Map<string, Instant>;
}

/**
 * The earnings events of one security, from everything that sources ever said of it. A pure
 * function of the observations: the order in which they arrived cannot matter.
 */
export function deriveEarnings(input: EarningsInput): DerivedEarnings {
  const held = new Map<number, HeldReason>();
  function hold(history: ObservationHistory<unknown>, why: HeldReason): void {
    for (const id of recordIds(history)) held.set(id, why);
  }
  const { figures, financials, filings, ...said } = byKind(input.histories);
  const replaced = replacedRows(said.calendars);
  const told = said.calendars.filter((history) => !replaced.has(history));
  const grid = gridOf(input.fiscalYearEnd?.monthDay ?? null, told, financials, figures);
  const { left, ...current } = takeOffStalePeriods(told, financials, grid, input.left);
  const [struck, calendars] = [
    current.calendars.filter((history) => isStruck(history, left)),
    current.calendars.filter((history) => !isStruck(history, left)),
  ];
  const drafts = draftsOfPeriods(calendars, financials, grid, hold);
  uniteDisputed(drafts);
  tieFilings(drafts, filings, grid, hold);
  joinUndated(drafts, calendars, grid, hold);
  noteStruck(drafts, struck, grid);
  noteReplaced(drafts, replaced);
  joinFigures(drafts, figures, grid, hold);
  const yearShift = ownYearShift(drafts, grid);
  const events: EarningsEvent[] = [];
  const gone = goneReports(input, replaced, grid);
  for (const draft of drafts.values()) {
    const givenUpAt = takeOutLeft(draft, left);
    const release = settleRelease(draft, input.market);
    if (release === null) {
      if (givenUpAt !== null) gone.set(earningsEventId(input.securityId, draft.label), givenUpAt);
      if (draft.financials !== null) hold(draft.financials, NO_DATE);
      for (const history of draft.figures) hold(history, NO_DATE);
      continue;
    }
    if (isRefutedGuess(draft, release, input.market)) {
      const { calendars: guesses, figures: words, financials: filed } = draft;
      for (const history of [...guesses, ...words, filed])
        if (history !== null) hold(history, NO_DATE);
      continue;
    }
    const rebased = putOnTodaysBasis(draft, release.date, input.splits);
    const event = toEvent(input, rebased.draft, release, grid, yearShift);
    const updatedAt = Math.max(event.updatedAt, givenUpAt ?? 0);
    events.push(withSplits({ ...event, updatedAt }, rebased));
  }
  fillYearAgo(events, drafts, input.securityId);
  events.sort((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  return { events, held, gone };
}

/** The reports that rows were of in whose place others stand now, with since when. */
function goneReports(
  { securityId }: EarningsInput,
  replaced: ReadonlyMap<CalendarHistory, Replacement>,
  grid: PeriodGrid,
): Map<string, Instant> {
  const gone = new Map<string, Instant>();
  for (const [history, { at }] of replaced) {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    if (end == null) continue;
    const label = snapToGrid(periodLabel(end, precision ?? 'day'), grid);
    gone.set(earningsEventId(securityId, label), at);
  }
  return gone;
}

function toEvent(
  input: EarningsInput,
  draft: Draft,
  release: Release,
  grid: PeriodGrid,
  yearShift: number,
): EarningsEvent {
  const isTied = draft.filing !== null;
  const currency = currencyOf(draft);
  const isReleased = isTied || release.reportedAt !== null;
  const figures = settleFigures(draft, currency, release.freezeAt, isReleased);
  const isOut = isTied || figures.isGiven || figures.isFiledAbroad;
  const calendars = draft.calendars.toSorted(byPrecedence('date'));
  const spoken = calendars.map((history) => {
    const observation = latest(history);
    return { thread: history, sighting: observation, fields: observation.fields };
  });
  const named = spoken.find(({ fields }) => fields.name != null);
  // Whoever is sure of another day says nothing of this one.
  const claimed = spoken.find(
    ({ fields }) => fields.dateStatus !== undefined && fields.date === release.date,
  );
  const provenance = provenanceOf(release, figures);
  if (claimed !== undefined) {
    provenance.dateStatus = sourceOf(
      claimed.thread,
      claimed.sighting,
      (fields) => fields.dateStatus,
    );
  }
  if (draft.financials !== null) {
    const { provider, feed, observations } = draft.financials;
    provenance.fiscalPeriodEnd = { provider, feed, seenAt: observations[0]?.at ?? 0 };
  }
  if (named !== undefined) {
    provenance.name = sourceOf(named.thread, named.sighting, (fields) => fields.name);
  }
  if (grid.yearEndMonth !== null && input.fiscalYearEnd !== null) {
    provenance.fiscalYear = input.fiscalYearEnd.source;
  }
  return {
    id: earningsEventId(input.securityId, draft.label),
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
    ...fiscalOf(draft, grid, yearShift),
    fiscalPeriodEnd: periodEndOf(draft),
    epsBasis: figures.epsBasis,
    currency,
    reportedAt: release.reportedAt,
    estimateAsOf: figures.estimateAsOf,
    revenueEstimateAsOf: figures.revenueEstimateAsOf,
    markerAhead: release.markerAhead,
    splitFactor: '1',
    sourceUrl:
      draft.filing?.sourceUrl ??
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

function gridOf(
  fiscalYearEnd: string | null,
  calendars: readonly CalendarHistory[],
  financials: readonly FinancialsHistory[],
  figures: readonly FiguresHistory[],
): PeriodGrid {
  const filed = financials.map((history) => ({
    end: latest(history).fields.periodEnd,
    precision: 'day' as const,
  }));
  const named = calendars.flatMap((history) => {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    return end == null ? [] : [{ end, precision: precision ?? ('day' as const) }];
  });
  const known = [...filed, ...named];
  if (known.length > 0) return periodGrid(fiscalYearEnd, known);
  const told = figures.map((history) => {
    const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = latest(history).fields;
    return { end, precision };
  });
  return periodGrid(fiscalYearEnd, told);
}

/**
 * Some companies name their years by the calendar year in which most of it lies, not the one in
 * which it ends: the difference that most of their own filings show.
 */
function ownYearShift(drafts: Map<string, Draft>, grid: PeriodGrid): number {
  const votes = new Map<number, number>();
  for (const { label, financials } of drafts.values()) {
    const own = financials === null ? null : latest(financials).fields.fiscalYear;
    const reckoned = fiscalLabelsOf(label, grid);
    if (own === null || reckoned === null) continue;
    const shift = own - reckoned.fiscalYear;
    if (Math.abs(shift) <= 1) votes.set(shift, (votes.get(shift) ?? 0) + 1);
  }
  const [most] = [...votes].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0] ?? 0;
}

function fiscalOf(
  draft: Draft,
  grid: PeriodGrid,
  yearShift: number,
): { fiscalYear: number | null; fiscalQuarter: number | null } {
  const reckoned = fiscalLabelsOf(draft.label, grid);
  if (reckoned !== null) {
    return { ...reckoned, fiscalYear: reckoned.fiscalYear + yearShift };
  }
  const said = [
    ...(draft.financials === null ? [] : [latest(draft.financials).fields]),
    ...draft.calendars.toSorted(byPrecedence('date')).map((history) => latest(history).fields),
  ].find(({ fiscalYear, fiscalQuarter }) => fiscalYear != null && fiscalQuarter != null);
  return { fiscalYear: said?.fiscalYear ?? null, fiscalQuarter: said?.fiscalQuarter ?? null };
}

function periodEndOf(draft: Draft): EarningsEvent['fiscalPeriodEnd'] {
  if (draft.financials !== null) return latest(draft.financials).fields.periodEnd;
  const named = draft.calendars
    .toSorted(byPrecedence('date'))
    .map((history) => latest(history).fields)
    .filter(({ fiscalPeriodEnd }) => fiscalPeriodEnd != null);
  const exact = named.find(({ fiscalPeriodPrecision }) => fiscalPeriodPrecision !== 'month');
  if (exact?.fiscalPeriodEnd != null) return exact.fiscalPeriodEnd;
  return named.length > 0 ? monthEndOf(draft.label) : null;
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
  drafts: Map<string, Draft>,
  securityId: string,
): void {
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const label of drafts.keys()) {
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
    const sourced: Sourced<unknown> | null = figures[field];
    const source = sourced?.source ?? figures.withdrawn[field];
    if (source !== undefined) provenance[field] = source;
  }
  return provenance;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
