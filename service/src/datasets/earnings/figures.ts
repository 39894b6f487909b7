import type { Instant } from '../../platform/instant.ts';
import {
  latest,
  latestBefore,
  type Observation,
  type ObservationHistory,
  unchangedSince,
} from '../source-records/observation-history.ts';
import type { FiledFigure, ReportFigures } from './observation.ts';
import { byPrecedence, FILING_FIRST_PROVIDERS } from './precedence.ts';
import { sourceOf } from './release.ts';
import type { ReportCandidate } from './report-candidate.ts';
import { resolveRevenue } from './revenue-basis.ts';
import type { EpsBasis, FieldSource, SourcedValue } from './row.ts';

/** The figures for one report with their sources. Every EPS value is on `epsBasis`. */
export interface Figures {
  epsEstimate: SourcedValue<string> | null;
  estimateCount: SourcedValue<number> | null;
  eps: SourcedValue<string> | null;
  epsYearAgo: SourcedValue<string> | null;
  epsBasis: EpsBasis | null;
  revenueEstimate: SourcedValue<string> | null;
  revenue: SourcedValue<string> | null;
  estimateAsOf: Instant | null;
  revenueEstimateAsOf: Instant | null;
  /** True if EPS or revenue is known, or was published at some time after the release. */
  hasResults: boolean;
  /**
   * True if results are filed in another currency. The report is out, but these figures include no
   * result.
   */
  isFiledAbroad: boolean;
  /** Sources that published a figure and later removed it. */
  withdrawn: Partial<Record<FigureField, FieldSource>>;
}

/** Rows with figures for a quarter, with or without the report date. */
type FiguresSource = ObservationHistory<ReportFigures>;

export const FIGURE_FIELDS = [
  'epsEstimate',
  'eps',
  'revenueEstimate',
  'revenue',
  'estimateCount',
  'epsYearAgo',
] as const;

export type FigureField = (typeof FIGURE_FIELDS)[number];

const RESULTS = ['eps', 'revenue'] as const;

type Result = (typeof RESULTS)[number];

/**
 * Chooses the figures. EPS and consensus come from one provider, the first that has either, because
 * the consensus is adjusted and XBRL is GAAP. XBRL provides EPS only if no calendar has it. Once a
 * report is out, its consensus is the last one seen before `freezeAt`. If none was seen in time,
 * the consensus that the source shows with the result is used, without an instant. Figures filed in
 * another currency are left out, because comparing them with a consensus would produce false
 * surprises.
 */
export function resolveFigures(
  candidate: ReportCandidate,
  currency: string,
  freezeAt: Instant,
  isReleased: boolean,
): Figures {
  const rows: readonly FiguresSource[] = [...candidate.calendars, ...candidate.figures];
  const sources = rows.toSorted(byPrecedence('figures'));
  const { financials } = candidate;
  const isForeign = financials !== null && latest(financials).fields.currency !== currency;
  const filed = {
    eps: filedValue(candidate, 'epsDiluted'),
    revenue: filedValue(candidate, 'revenue'),
  };
  const isFiledAbroad = isForeign && (filed.eps ?? filed.revenue) !== null;
  const comparable = isForeign ? { eps: null, revenue: null } : filed;
  const family = familyOf(sources, comparable.eps !== null);
  const eps = family.length > 0 ? resultOf(family, 'eps', freezeAt) : comparable.eps;
  const calendarRevenue = resultOf(sources, 'revenue', freezeAt);
  const hasResults =
    [eps, calendarRevenue, comparable.revenue].some((figure) => figure !== null) ||
    RESULTS.some((field) => lastResult(sources, field, freezeAt) !== null);
  const isOut = isReleased || hasResults || isFiledAbroad;
  const epsEstimate = chooseEstimate(family, 'epsEstimate', isOut ? freezeAt : null);
  const revenueEstimate = chooseEstimate(sources, 'revenueEstimate', isOut ? freezeAt : null);
  const consensus = revenueEstimate && sourcedValue(revenueEstimate, 'revenueEstimate');
  const basis = family.find((history) => latest(history).fields.epsBasis !== undefined);
  return {
    epsEstimate: epsEstimate && sourcedValue(epsEstimate, 'epsEstimate'),
    estimateCount: epsEstimate && sourcedValue(epsEstimate, 'estimateCount'),
    eps,
    epsYearAgo: latestValue(family, 'epsYearAgo'),
    epsBasis: family.length === 0 && eps !== null ? 'gaap' : basisOf(basis),
    revenueEstimate: consensus,
    revenue: resolveRevenue(calendarRevenue, comparable.revenue, consensus?.value ?? null),
    estimateAsOf: (epsEstimate ?? revenueEstimate)?.frozenAt ?? null,
    revenueEstimateAsOf: revenueEstimate?.frozenAt ?? null,
    hasResults,
    isFiledAbroad,
    withdrawn: withdrawnOf(sources),
  };
}

/**
 * Returns the rows from the first provider with an EPS or a consensus. If there is none and nothing
 * is filed, returns the rows from the first provider with last year's EPS. Some providers rank
 * below a filed EPS unless they also have an EPS.
 */
function familyOf(sources: readonly FiguresSource[], isFiled: boolean): FiguresSource[] {
  const has = (history: FiguresSource, field: 'eps' | 'epsEstimate' | 'epsYearAgo'): boolean =>
    history.observations.some(({ fields }) => fields[field] != null);
  const withEps = new Set(
    sources.filter((history) => has(history, 'eps')).map(({ provider }) => provider),
  );
  const first =
    sources.find((history) => {
      const { provider } = history;
      if (withEps.has(provider)) return has(history, 'eps') || has(history, 'epsEstimate');
      const yields = isFiled && FILING_FIRST_PROVIDERS.includes(provider);
      return has(history, 'epsEstimate') && !yields;
    }) ?? (isFiled ? undefined : sources.find((history) => has(history, 'epsYearAgo')));
  return sources.filter((history) => history.provider === first?.provider);
}

/** An observation with its history. */
interface SourceObservation {
  history: FiguresSource;
  observation: Observation<ReportFigures>;
}

/**
 * Returns the last estimate seen before `freezeAt`. If there is none, or before the release,
 * returns the latest value.
 */
function chooseEstimate(
  sources: readonly FiguresSource[],
  field: 'epsEstimate' | 'revenueEstimate',
  freezeAt: Instant | null,
): (SourceObservation & { frozenAt: Instant | null }) | null {
  const hasField = (fields: ReportFigures): boolean => fields[field] !== undefined;
  for (const history of freezeAt === null ? [] : sources) {
    const observation = latestBefore(history, freezeAt ?? 0, hasField);
    if (observation !== null && observation.at > 0 && observation.fields[field] != null) {
      return { history, observation, frozenAt: observation.at };
    }
  }
  for (const history of sources) {
    const observation = latestBefore(history, Number.POSITIVE_INFINITY, hasField);
    if (observation?.fields[field] != null) return { history, observation, frozenAt: null };
  }
  return null;
}

/**
 * Returns a result: the latest value, including corrections. If no source has a value any more,
 * returns the last one published, because dropping a figure does not undo the report.
 */
function resultOf(
  sources: readonly FiguresSource[],
  field: Result,
  outAt: Instant,
): SourcedValue<string> | null {
  return latestValue(sources, field) ?? lastResult(sources, field, outAt);
}

/**
 * Returns the last value that the preferred source published after the release, even if the source
 * removed it later. A value from before the release was not a result. An empty cell in an
 * operator's file is intentional.
 */
function lastResult(
  sources: readonly FiguresSource[],
  field: Result,
  outAt: Instant,
): SourcedValue<string> | null {
  for (const history of sources) {
    if (history.provider === 'files') continue;
    const observation = history.observations.findLast(
      ({ at, fields }) => at >= outAt && fields[field] != null,
    );
    if (observation !== undefined) return sourcedValue({ history, observation }, field);
  }
  return null;
}

type ValueField = Result | 'epsYearAgo' | 'epsEstimate' | 'revenueEstimate';

/** Returns the latest value from the preferred source that has one. */
function latestValue(
  sources: readonly FiguresSource[],
  field: ValueField,
): SourcedValue<string> | null {
  for (const history of sources) {
    const observation = history.observations.findLast(({ fields }) => fields[field] !== undefined);
    const value = observation === undefined ? null : sourcedValue({ history, observation }, field);
    if (value !== null) return value;
  }
  return null;
}

function sourcedValue<Field extends ValueField | 'estimateCount'>(
  { history, observation }: SourceObservation,
  field: Field,
): SourcedValue<NonNullable<ReportFigures[Field]>> | null {
  const value = observation.fields[field];
  if (value == null) return null;
  return { value, source: sourceOf(history, observation, (fields) => fields[field]) };
}

/**
 * Returns the sources that removed a figure, with the removal time, because a removal is also a
 * change.
 */
function withdrawnOf(sources: readonly FiguresSource[]): Figures['withdrawn'] {
  const withdrawn: Figures['withdrawn'] = {};
  for (const field of FIGURE_FIELDS) {
    for (const history of sources) {
      const observation = history.observations.findLast(
        ({ fields }) => fields[field] !== undefined,
      );
      if (observation === undefined || observation.fields[field] !== null) continue;
      const source = sourceOf(history, observation, (fields) => fields[field]);
      const hadValue = history.observations.some(
        ({ at, fields }) => at < source.seenAt && fields[field] != null,
      );
      if (hadValue) withdrawn[field] ??= source;
    }
  }
  return withdrawn;
}

/** Returns a filed figure as it was first filed. */
function filedValue(
  { financials }: ReportCandidate,
  field: 'revenue' | 'epsDiluted',
): SourcedValue<string> | null {
  if (financials === null) return null;
  const { provider, feed } = financials;
  const observation = latest(financials);
  const figure: FiledFigure | null = observation.fields[field];
  if (figure === null) return null;
  const seenAt = unchangedSince(financials, observation, (fields) => fields[field]?.first);
  return { value: figure.first, source: { provider, feed, seenAt } };
}

function basisOf(history: FiguresSource | undefined): EpsBasis | null {
  return history === undefined ? null : (latest(history).fields.epsBasis ?? null);
}
