import { issuerOf } from '../../domain/issuer-name.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import { latest, type Observation } from '../source-records/observation-history.ts';
import type { Instant } from '../../platform/instant.ts';
import { isCallFor } from './calls.ts';
import { dateStatusOf } from './date-status.ts';
import { FIGURE_FIELDS, type Figures, resolveFigures } from './figures.ts';
import { type FiscalCalendar, fiscalLabelsOf } from './fiscal-calendar.ts';
import { guidanceOf } from './guidance.ts';
import type { CalendarObservation } from './observation.ts';
import { type PeriodEndOf, periodEndOf } from './period-end.ts';
import { byPrecedence } from './precedence.ts';
import { type Release, sourceOf } from './release.ts';
import type {
  CalendarHistory,
  Candidates,
  EarningsInput,
  ReportCandidate,
} from './report-candidate.ts';
import type { EarningsEvent, FieldSource, Provenance } from './row.ts';
import { toTodaysShareBasis } from './share-basis.ts';

/** Company-level data, and the id of the event. */
export interface EventContext extends CompanyContext {
  id: string;
}

/** Company-level data needed to build the company's events. */
export interface CompanyContext {
  input: EarningsInput;
  fiscalCalendar: FiscalCalendar;
  /** See `fiscalYearOffsetOf`. */
  fiscalYearOffset: number;
  periodEndOf: PeriodEndOf;
}

/** A calendar row with its latest values. */
interface CalendarRow {
  history: CalendarHistory;
  observation: Observation<CalendarObservation>;
  fields: CalendarObservation;
}

/**
 * Builds the event for a report with a known release date, with every EPS on today's share basis.
 */
export function toEvent(
  report: ReportCandidate,
  release: Release,
  context: EventContext,
): EarningsEvent {
  const { input } = context;
  const rebased = toTodaysShareBasis(report, release.date, input.splits);
  const { candidate, splitFactor, splitSource } = rebased;
  const currency = currencyOf(candidate);
  const isFiled = candidate.filing !== null;
  const isReleased = isFiled || release.reportedAt !== null;
  const figures = resolveFigures(candidate, currency, release.freezeAt, isReleased);
  const rows = candidate.calendars.toSorted(byPrecedence('date')).map((history): CalendarRow => {
    const observation = latest(history);
    return { history, observation, fields: observation.fields };
  });
  const named = rows.find(({ fields }) => fields.name != null);
  // A source that confirms a different date says nothing about the chosen date.
  const dateClaim = rows.find(
    ({ fields }) => fields.dateStatus !== undefined && fields.date === release.date,
  );
  const isOut = isFiled || figures.hasResults || figures.isFiledAbroad;
  const provenance = provenanceOf({ candidate, release, figures, named, dateClaim }, context);
  if (splitSource !== null) provenance.splitFactor = splitSource;
  const statedCall = callOf(candidate, rows, release);
  if (statedCall !== null) provenance.callAt = statedCall.source;
  const statedGuidance = guidanceOf(candidate, currency);
  if (statedGuidance !== null) provenance.guidance = statedGuidance.source;
  const seenAt = Object.values(provenance).map((source) => source.seenAt);
  const isLabelFiscal = fiscalLabelsOf(candidate.label, context.fiscalCalendar) !== null;
  const sourceUrl = rows.find(({ fields }) => fields.sourceUrl != null)?.fields.sourceUrl ?? null;
  return {
    id: context.id,
    securityId: input.securityId,
    symbol: input.symbol,
    name: issuerOf(named?.fields.name ?? input.securityName),
    date: release.date,
    time: release.time,
    dateStatus: dateStatusOf(candidate, release, { isOut, stated: dateClaim?.fields.dateStatus }),
    ...figureValues(figures),
    ...fiscalQuarterOf(candidate, context),
    fiscalPeriodEnd: periodEndOf(candidate, isLabelFiscal, context.periodEndOf),
    currency,
    reportedAt: release.reportedAt,
    callAt: statedCall?.callAt ?? null,
    guidance: statedGuidance?.guidance ?? null,
    markerAhead: release.markerAhead,
    splitFactor,
    sourceUrl: candidate.filing?.sourceUrl ?? sourceUrl,
    projection: projectionOf(release),
    provenance: { ...provenance, ...figures.detail.sources },
    updatedAt: Math.max(
      input.renamedAt ?? 0,
      figures.detail.rangeSince ?? 0,
      ...seenAt,
      movedAt(release),
    ),
  };
}

/**
 * Returns the conference call that the press release announces, or else a calendar, if it is about
 * this report.
 */
function callOf(
  { release: document }: ReportCandidate,
  rows: readonly CalendarRow[],
  { date }: Release,
): { callAt: Instant; source: FieldSource } | null {
  const announced = document === null ? null : latest(document);
  const callAt = announced?.fields.callAt ?? null;
  if (document !== null && announced !== null && callAt !== null && isCallFor(callAt, date)) {
    return { callAt, source: sourceOf(document, announced, (fields) => fields.callAt) };
  }
  for (const { history, observation, fields } of rows) {
    const { callAt: listedAt = null } = fields;
    if (listedAt === null || !isCallFor(listedAt, date)) continue;
    const source = sourceOf(history, observation, (values) => values.callAt);
    return { callAt: listedAt, source };
  }
  return null;
}

function projectionOf({ projected }: Release): EarningsEvent['projection'] {
  if (projected === null) return null;
  const { interval50, interval80, session, basis } = projected;
  const isTimeKnown = session.time !== 'time-not-supplied';
  const timeProbability = isTimeKnown ? Math.round(session.probability * 100) / 100 : null;
  return { interval50, interval80, timeProbability, basis };
}

/** Returns the midnight after the day that passed and so moved a projection; 0 if none did. */
function movedAt({ projected }: Release): Instant {
  const day = projected?.passedDay ?? null;
  return day === null ? 0 : newYorkInstant(addDays(day, 1), 0);
}

function figureValues(figures: Figures) {
  return {
    epsEstimate: figures.epsEstimate?.value ?? null,
    eps: figures.eps?.value ?? null,
    epsGaap: figures.epsGaap?.value ?? null,
    revenueEstimate: figures.revenueEstimate?.value ?? null,
    revenue: figures.revenue?.value ?? null,
    estimateCount: figures.estimateCount?.value ?? null,
    epsYearAgo: figures.epsYearAgo?.value ?? null,
    epsBasis: figures.epsBasis,
    isEpsComparable: figures.isEpsComparable,
    estimateAsOf: figures.estimateAsOf,
    revenueEstimateAsOf: figures.revenueEstimateAsOf,
    estimates: figures.detail.estimates,
  };
}

function provenanceOf(
  parts: {
    candidate: ReportCandidate;
    release: Release;
    figures: Figures;
    named: CalendarRow | undefined;
    dateClaim: CalendarRow | undefined;
  },
  { input, fiscalCalendar }: EventContext,
): Provenance {
  const { candidate, release, figures, named, dateClaim } = parts;
  const provenance: Provenance = { date: release.dateSource, time: release.timeSource };
  if (release.reportedSource !== null) provenance.reportedAt = release.reportedSource;
  for (const field of FIGURE_FIELDS) {
    const source = figures[field]?.source ?? figures.withdrawn[field];
    if (source !== undefined) provenance[field] = source;
  }
  if (figures.epsGaap !== null) provenance.epsGaap = figures.epsGaap.source;
  if (dateClaim !== undefined) {
    const { history, observation } = dateClaim;
    provenance.dateStatus = sourceOf(history, observation, (fields) => fields.dateStatus);
  }
  if (candidate.financials !== null) {
    const { provider, feed, observations } = candidate.financials;
    provenance.fiscalPeriodEnd = { provider, feed, seenAt: observations[0]?.at ?? 0 };
  } else if (candidate.release !== null) {
    const newest = latest(candidate.release);
    provenance.fiscalPeriodEnd = sourceOf(candidate.release, newest, (fields) => fields.periodEnd);
  }
  if (named !== undefined) {
    provenance.name = sourceOf(named.history, named.observation, (fields) => fields.name);
  }
  if (fiscalCalendar.yearEndMonth !== null && input.fiscalYearEnd !== null) {
    provenance.fiscalYear = input.fiscalYearEnd.source;
  }
  return provenance;
}

/**
 * Returns the report's currency: the currency of the company's own figures if no others are known.
 * Calendars and analysts use dollars unless they state otherwise, even for a company that files in
 * another currency. Their figures cannot be combined with figures filed in another currency.
 */
function currencyOf({ financials, calendars, figures, stated }: ReportCandidate): string {
  const hasOtherFigures = [...calendars, ...figures].some(({ observations }) =>
    observations.some(({ fields }) => FIGURE_FIELDS.some((field) => fields[field] != null)),
  );
  if (financials !== null && !hasOtherFigures) return latest(financials).fields.currency;
  const [first] = stated;
  if (first !== undefined && !hasOtherFigures) return latest(first).fields.currency;
  const currencies = calendars
    .toSorted(byPrecedence('date'))
    .map((history) => latest(history).fields.currency);
  return currencies.find((currency) => currency != null) ?? 'USD';
}

/**
 * Returns the difference between the company's fiscal years and the calendar years in which they
 * end. Some companies label a fiscal year by the calendar year that contains most of it. The
 * majority of the company's filings decides.
 */
export function fiscalYearOffsetOf(candidates: Candidates, calendar: FiscalCalendar): number {
  const votes = new Map<number, number>();
  for (const { label, financials } of candidates.values()) {
    const stated = financials === null ? null : latest(financials).fields.fiscalYear;
    const computed = fiscalLabelsOf(label, calendar);
    if (stated === null || computed === null) continue;
    const offset = stated - computed.fiscalYear;
    if (Math.abs(offset) <= 1) votes.set(offset, (votes.get(offset) ?? 0) + 1);
  }
  const [most] = [...votes].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0] ?? 0;
}

function fiscalQuarterOf(
  candidate: ReportCandidate,
  { fiscalCalendar, fiscalYearOffset }: EventContext,
): Pick<EarningsEvent, 'fiscalYear' | 'fiscalQuarter'> {
  const computed = fiscalLabelsOf(candidate.label, fiscalCalendar);
  if (computed !== null) {
    return { ...computed, fiscalYear: computed.fiscalYear + fiscalYearOffset };
  }
  const stated = [
    ...(candidate.financials === null ? [] : [latest(candidate.financials).fields]),
    ...candidate.calendars.toSorted(byPrecedence('date')).map((history) => latest(history).fields),
  ].find(({ fiscalYear, fiscalQuarter }) => fiscalYear != null && fiscalQuarter != null);
  return { fiscalYear: stated?.fiscalYear ?? null, fiscalQuarter: stated?.fiscalQuarter ?? null };
}
