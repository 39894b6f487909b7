import type { Instant } from '../../platform/instant.ts';
import {
  latest,
  latestBefore,
  type Observation,
  type ObservationHistory,
  unchangedSince,
} from '../source-records/observation-history.ts';
import { type ResolvedEstimates, resolveEstimates } from './estimates.ts';
import type { FiledFigure, ReportFigures } from './observation.ts';
import { byPrecedence } from './precedence.ts';
import { sourceOf } from './release.ts';
import type { ReportCandidate } from './report-candidate.ts';
import { resolveRevenue } from './revenue-basis.ts';
import { statedFigures } from './stated-figures.ts';
import type { EpsBasis, FieldSource, SourcedValue } from './row.ts';

/** The figures for one report with their sources. */
export interface Figures {
  epsEstimate: SourcedValue<string> | null;
  estimateCount: SourcedValue<number> | null;
  eps: SourcedValue<string> | null;
  /** The EPS that was filed, or that a source states to be GAAP. */
  epsGaap: SourcedValue<string> | null;
  epsYearAgo: SourcedValue<string> | null;
  /** Basis of `eps`, or of the estimate before the report; null unless a source states it. */
  epsBasis: EpsBasis | null;
  /** True if `eps` and its estimate come from one provider, or one of them is missing. */
  isEpsComparable: boolean;
  revenueEstimate: SourcedValue<string> | null;
  revenue: SourcedValue<string> | null;
  estimateAsOf: Instant | null;
  revenueEstimateAsOf: Instant | null;
  /** The analysts' estimates in detail. */
  detail: ResolvedEstimates;
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
 * Chooses the figures. EPS comes from the preferred provider that has a result, and its estimate
 * from the same provider if possible, because providers define EPS differently. If no provider has
 * a result, the adjusted EPS of the company's press release is the result, or else the filed EPS, or
 * else the GAAP EPS of the press release. Before the report, the estimate comes from the preferred
 * provider that has one. Once a report is out, its consensus is the last one seen before
 * `freezeAt`. If none was seen in time, the consensus that the source shows with the result is
 * used, without an instant. Figures filed in another currency are left out, because comparing them
 * with a consensus would produce false surprises.
 */
export function resolveFigures(
  candidate: ReportCandidate,
  currency: string,
  freezeAt: Instant,
  isReleased: boolean,
): Figures {
  const rows: readonly FiguresSource[] = [...candidate.calendars, ...candidate.figures];
  const sources = rows.toSorted(byPrecedence('figures'));
  const { filed: comparable, stated, isFiledAbroad } = companyFigures(candidate, currency);
  const calendarRevenue = resultOf(sources, 'revenue', freezeAt);
  const published = publishedEps(sources, freezeAt);
  const hasResults =
    [published, calendarRevenue, comparable.eps, comparable.revenue].some((it) => it !== null) ||
    stated.hasFigures ||
    lastResult(sources, 'revenue', freezeAt) !== null;
  const isOut = isReleased || hasResults || isFiledAbroad;
  const ownEps = stated.epsAdjusted ?? comparable.eps ?? stated.epsGaap;
  const eps = published?.value ?? ownEps;
  const family = published?.family ?? [];
  const frozenAt = isOut ? freezeAt : null;
  const epsEstimate =
    chooseEstimate(family, 'epsEstimate', frozenAt) ??
    chooseEstimate(sources, 'epsEstimate', frozenAt);
  const revenueEstimate = chooseEstimate(sources, 'revenueEstimate', frozenAt);
  const consensus = revenueEstimate && sourcedValue(revenueEstimate, 'revenueEstimate');
  const epsConsensus = epsEstimate && sourcedValue(epsEstimate, 'epsEstimate');
  const providers = {
    eps: epsConsensus?.source.provider ?? null,
    revenue: consensus?.source.provider ?? null,
  };
  const isOwnEps = published === null && ownEps !== null;
  const ownBasis = ownEps === stated.epsAdjusted ? 'adjusted' : 'gaap';
  const epsYearAgo = latestValue(family, 'epsYearAgo') ?? latestValue(sources, 'epsYearAgo');
  const provider = published?.value.source.provider ?? epsEstimate?.history.provider;
  const epsBasis = isOwnEps
    ? ownBasis
    : statedBasis(sources, provider ?? epsYearAgo?.source.provider);
  return {
    epsEstimate: epsConsensus,
    estimateCount: epsEstimate && sourcedValue(epsEstimate, 'estimateCount'),
    eps,
    epsGaap: comparable.eps ?? stated.epsGaap ?? (epsBasis === 'gaap' ? eps : null),
    epsYearAgo: isOwnEps ? stated.yearAgo[ownBasis] : epsYearAgo,
    epsBasis,
    isEpsComparable:
      eps === null || epsEstimate === null || eps.source.provider === epsEstimate.history.provider,
    revenueEstimate: consensus,
    revenue: resolveRevenue(
      calendarRevenue,
      comparable.revenue ?? stated.revenue,
      consensus?.value ?? null,
    ),
    estimateAsOf: (epsEstimate ?? revenueEstimate)?.frozenAt ?? null,
    revenueEstimateAsOf: revenueEstimate?.frozenAt ?? null,
    detail: resolveEstimates(sources, providers, frozenAt),
    hasResults,
    isFiledAbroad,
    withdrawn: withdrawnOf(sources),
  };
}

/** Returns the figures in the company's filing and press release that are in the currency. */
function companyFigures(candidate: ReportCandidate, currency: string) {
  const { financials } = candidate;
  const isForeign = financials !== null && latest(financials).fields.currency !== currency;
  const stated = statedFigures(candidate, currency);
  const filed = {
    eps: filedValue(candidate, 'epsDiluted'),
    revenue: filedValue(candidate, 'revenue'),
  };
  const isFiledAbroad = (isForeign && (filed.eps ?? filed.revenue) !== null) || stated.isForeign;
  return { filed: isForeign ? { eps: null, revenue: null } : filed, stated, isFiledAbroad };
}

/** Returns the result of the preferred provider that has one, and all rows of that provider. */
function publishedEps(
  sources: readonly FiguresSource[],
  outAt: Instant,
): { value: SourcedValue<string>; family: FiguresSource[] } | null {
  for (const family of Map.groupBy(sources, ({ provider }) => provider).values()) {
    const value = resultOf(family, 'eps', outAt);
    if (value !== null) return { value, family };
  }
  return null;
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
export function chooseEstimate(
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
export function resultOf(
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

export function sourcedValue<Field extends ValueField | 'estimateCount'>(
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
export function filedValue(
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

/** Returns the basis that a provider states for its EPS figures. */
function statedBasis(
  sources: readonly FiguresSource[],
  provider: string | undefined,
): EpsBasis | null {
  for (const history of sources) {
    const { epsBasis } = latest(history).fields;
    if (history.provider === provider && epsBasis !== undefined) return epsBasis;
  }
  return null;
}
