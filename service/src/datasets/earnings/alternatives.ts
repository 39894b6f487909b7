import { compareDecimals } from '../../domain/decimal.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { formatInstant } from '../../platform/instant.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import { chooseEstimate, filedValue, resultOf, sourcedValue } from './figures.ts';
import type { ReportFigures } from './observation.ts';
import { byPrecedence } from './precedence.ts';
import { filingSource, type Release, sessionOf, sourceOf } from './release.ts';
import type { EarningsInput, ReportCandidate } from './report-candidate.ts';
import { isSameRevenue } from './revenue-basis.ts';
import type { EarningsEvent, FieldSource, SourcedValue } from './row.ts';
import { statedFigures } from './stated-figures.ts';
import { toTodaysShareBasis } from './share-basis.ts';

/** Fields whose alternatives are shown. */
export const ALTERNATIVE_FIELDS = [
  'date',
  'time',
  'epsEstimate',
  'eps',
  'revenueEstimate',
  'revenue',
] as const;

export type AlternativeField = (typeof ALTERNATIVE_FIELDS)[number];

/** The values that sources have for one field of a report. */
export interface FieldAlternatives {
  /** The served value first, then the others by precedence; decimal text. */
  values: SourcedValue<string>[];
  /** Reason for the choice, in one line. */
  reason: string;
}

/** Alternatives by field, for the fields on which sources differ. */
export type Alternatives = Partial<Record<AlternativeField, FieldAlternatives>>;

/** A report with everything from which its event was derived. */
export interface ResolvedReport {
  event: EarningsEvent;
  /** The figures as their sources show them, not on today's share basis. */
  candidate: ReportCandidate;
  release: Release;
}

/**
 * Returns the fields for which sources have different values, with each value. Every EPS is on
 * today's share basis.
 */
export function alternativesOf(
  { event, release, candidate: asShown }: ResolvedReport,
  { market, splits }: Pick<EarningsInput, 'market' | 'splits'>,
): Alternatives {
  const { candidate } = toTodaysShareBasis(asShown, release.date, splits);
  const report = { event, release, candidate };
  const alternatives: Alternatives = {};
  for (const field of ALTERNATIVE_FIELDS) {
    const value = report.event[field];
    const source = report.event.provenance[field];
    if (value === null || source === undefined) continue;
    const served = { value, source };
    const others = valuesOf(field, report, market).filter((other) => !isSame(field, other, served));
    if (others.length === 0) continue;
    const values = [served, ...withoutRepeats(others)];
    alternatives[field] = { values, reason: reasonOf(field, report, values) };
  }
  return alternatives;
}

function isSame(
  field: AlternativeField,
  a: SourcedValue<string>,
  b: SourcedValue<string>,
): boolean {
  if (field === 'date' || field === 'time') return a.value === b.value;
  return compareDecimals(a.value, b.value) === 0;
}

/** Keeps each source's value once. */
function withoutRepeats(values: readonly SourcedValue<string>[]): SourcedValue<string>[] {
  const keyOf = ({ value, source }: SourcedValue<string>): string => `${source.provider} ${value}`;
  return values.filter((value, i) => values.findIndex((it) => keyOf(it) === keyOf(value)) === i);
}

/** Returns the value of every source that has one, by precedence. */
function valuesOf(
  field: AlternativeField,
  report: ResolvedReport,
  market: MarketCalendar,
): SourcedValue<string>[] {
  if (field === 'date') return datesOf(report);
  if (field === 'time') return sessionsOf(report, market);
  return figuresOf(field, report);
}

function datesOf({ candidate: { calendars, filing } }: ResolvedReport): SourcedValue<string>[] {
  const filed = filing === null ? [] : [{ value: filing.date, source: filingSource(filing) }];
  const listed = calendars.toSorted(byPrecedence('date')).map((history) => {
    const newest = latest(history);
    const source = sourceOf(history, newest, (fields) => fields.date);
    return { value: newest.fields.date, source };
  });
  return [...filed, ...listed];
}

function sessionsOf(
  { candidate: { calendars, filing }, event: { date } }: ResolvedReport,
  market: MarketCalendar,
): SourcedValue<string>[] {
  const filed =
    filing?.date === date && filing.at !== null
      ? [{ value: sessionOf(filing.at, market), source: filingSource(filing) }]
      : [];
  const listed = calendars.toSorted(byPrecedence('time')).flatMap((history) => {
    const observation = history.observations.findLast(
      ({ fields }) => fields.date === date && fields.time !== 'time-not-supplied',
    );
    if (observation === undefined) return [];
    const source = sourceOf(history, observation, (fields) => fields.time);
    return [{ value: observation.fields.time, source }];
  });
  return [...filed, ...listed];
}

const FILED = { eps: 'epsDiluted', revenue: 'revenue' } as const;

function figuresOf(
  field: Exclude<AlternativeField, 'date' | 'time'>,
  { candidate, release, event }: ResolvedReport,
): SourcedValue<string>[] {
  const histories: ObservationHistory<ReportFigures>[] = [
    ...candidate.calendars,
    ...candidate.figures,
  ];
  const isOut = event.dateStatus === 'reported' || event.eps !== null || event.revenue !== null;
  const frozenAt = isOut ? release.freezeAt : null;
  const published = histories.toSorted(byPrecedence('figures')).flatMap((history) => {
    if (field === 'eps' || field === 'revenue') {
      return resultOf([history], field, release.freezeAt) ?? [];
    }
    const estimate = chooseEstimate([history], field, frozenAt);
    return (estimate && sourcedValue(estimate, field)) ?? [];
  });
  if (field !== 'eps' && field !== 'revenue') return published;
  const { financials } = candidate;
  const isForeign = financials !== null && latest(financials).fields.currency !== event.currency;
  const filed = isForeign ? null : filedValue(candidate, FILED[field]);
  const stated = statedFigures(candidate, event.currency);
  const own =
    field === 'eps' ? [stated.epsAdjusted, filed, stated.epsGaap] : [filed, stated.revenue];
  return [...published, ...own.filter((value) => value !== null)];
}

/** Explains the choice of the first value in one line. */
function reasonOf(
  field: AlternativeField,
  { candidate, event }: ResolvedReport,
  [served, ...others]: readonly SourcedValue<string>[],
): string {
  if (served === undefined) throw new RangeError('no served value');
  const { provider, seenAt } = served.source;
  const rest = listed(others.map(({ source }) => source.provider).filter((it) => it !== provider));
  const outranks = `outranks ${rest === '' ? 'its other values' : rest}`;
  const { filing } = candidate;
  if (provider === 'files') return `Your own file ${outranks}.`;
  if ((field === 'date' || field === 'time') && filing !== null) {
    const accepted =
      filing.at === null ? `on ${filing.date}` : `accepted ${formatInstant(filing.at)}`;
    const confirms = field === 'date' && filing.date === served.value;
    if (confirms || isFrom(served.source, filingSource(filing)))
      return `Filing ${accepted} ${outranks}.`;
    return event.markerAhead
      ? `Session captured ${formatInstant(seenAt)}, ahead of the report, ${outranks}.`
      : `Results seen before the filing ${accepted} decide; ${provider} ${outranks}.`;
  }
  if (field === 'time' && event.markerAhead) {
    return `Session captured ${formatInstant(seenAt)}, ahead of the report, ${outranks}.`;
  }
  if (field === 'revenue') return revenueReason(served, others, outranks);
  if (field === 'epsEstimate' || field === 'revenueEstimate') {
    const isOfResult = field === 'epsEstimate' && event.provenance.eps?.provider === provider;
    const at = field === 'epsEstimate' ? event.estimateAsOf : event.revenueEstimateAsOf;
    const frozen = at === null ? '' : `, last seen ${formatInstant(at)} before the release`;
    return `${isOfResult ? `${provider}, the source of the result` : provider}${frozen}, ${outranks}.`;
  }
  return `${provider} ${outranks} by precedence.`;
}

/** Explains the choice between a published and a filed revenue. */
function revenueReason(
  served: SourcedValue<string>,
  others: readonly SourcedValue<string>[],
  outranks: string,
): string {
  const { provider } = served.source;
  const filed = [served, ...others].find(({ source }) => source.provider === 'sec');
  if (filed === undefined) return `${provider} ${outranks} by precedence.`;
  if (filed === served) {
    return `Filed revenue ${outranks}: it differs by more than 3 % and is not farther from the consensus.`;
  }
  return isSameRevenue(served.value, filed.value)
    ? `${provider} ${outranks}: it agrees with the filed revenue within 3 %.`
    : `${provider} ${outranks}: it is closer to the consensus than the filed revenue.`;
}

function isFrom(a: FieldSource, b: FieldSource): boolean {
  return a.provider === b.provider && a.feed === b.feed;
}

function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const last = distinct.pop() ?? '';
  return distinct.length === 0 ? last : `${distinct.join(', ')} and ${last}`;
}
