import type { Instant } from '../../platform/instant.ts';
import {
  latest,
  latestBefore,
  unchangedSince,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import type { ReportCandidate } from './report-candidate.ts';
import type { FiledFigure, ReportFigures } from './observation.ts';
import { byPrecedence, FILING_FIRST_PROVIDERS } from './precedence.ts';
import { resolveRevenue } from './revenue-basis.ts';
import type { EpsBasis, FieldSource } from './row.ts';
import type { SourcedValue } from './sourced.ts';
import { sourceOf } from './release.ts';

/** The figures of one report with their sources; every EPS value is on `epsBasis`. */
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
  /** Whether EPS or revenue is known, or was given once the report was out. */
  isGiven: boolean;
  /** Whether results are filed in another currency: they are out, and none of them is here. */
  isFiledAbroad: boolean;
  /** Figures that a source gave once and gives no more. */
  withdrawn: Partial<Record<FigureField, FieldSource>>;
}

/** Whoever speaks of figures, whether or not of the day as well. */
type SpokenThread = ObservationHistory<ReportFigures>;

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
 * Chooses the figures. EPS actual and consensus come from one provider, the first that has either,
 * since consensus is adjusted and XBRL is GAAP: XBRL gives EPS only where no calendar speaks of it.
 * Once a report is out, and out it stays, its consensus is the last one seen before `freezeAt`;
 * where none was seen in time, what the source itself shows beside the result, with no instant.
 * Figures filed in another currency than the report's are left out: set against a consensus they
 * would make up surprises.
 */
export function resolveFigures(
  candidate: ReportCandidate,
  currency: string,
  freezeAt: Instant,
  isReleased: boolean,
): Figures {
  const spoken: SpokenThread[] = [...candidate.calendars, ...candidate.figures];
  const calendars = spoken.toSorted(byPrecedence('figures'));
  const isForeign =
    candidate.financials !== null && latest(candidate.financials).fields.currency !== currency;
  const comparable = isForeign ? { ...candidate, financials: null } : candidate;
  const isFiledAbroad =
    isForeign && (filed(candidate, 'epsDiluted') ?? filed(candidate, 'revenue')) !== null;
  const filedEps = filed(comparable, 'epsDiluted');
  const family = familyOf(calendars, filedEps !== null);
  const eps = family.length > 0 ? resultOf(family, 'eps', freezeAt) : filedEps;
  const saidRevenue = resultOf(calendars, 'revenue', freezeAt);
  const filedRevenue = filed(comparable, 'revenue');
  const isGiven =
    [eps, saidRevenue, filedRevenue].some((figure) => figure !== null) ||
    RESULTS.some((field) => lastGiven(calendars, field, freezeAt) !== null);
  const isOut = isReleased || isGiven || isFiledAbroad;
  const ofEps = chooseEstimate(family, 'epsEstimate', isOut ? freezeAt : null);
  const ofRevenue = chooseEstimate(calendars, 'revenueEstimate', isOut ? freezeAt : null);
  const revenueEstimate = ofRevenue && read(ofRevenue, 'revenueEstimate');
  const speaker = family.find((history) => latest(history).fields.epsBasis !== undefined);
  return {
    epsEstimate: ofEps && read(ofEps, 'epsEstimate'),
    estimateCount: ofEps && read(ofEps, 'estimateCount'),
    eps,
    epsYearAgo: firstSaid(family, 'epsYearAgo'),
    epsBasis: family.length === 0 && eps !== null ? 'gaap' : basisOf(speaker),
    revenueEstimate,
    revenue: resolveRevenue(saidRevenue, filedRevenue, revenueEstimate?.value ?? null),
    estimateAsOf: (ofEps ?? ofRevenue)?.frozenAt ?? null,
    revenueEstimateAsOf: ofRevenue?.frozenAt ?? null,
    isGiven,
    isFiledAbroad,
    withdrawn: withdrawnOf(calendars),
  };
}

/**
 * The calendars of the first provider that gives an EPS or a consensus; where none does and none is
 * filed, of the first that gives last year's. Some give way to a filed EPS unless they bring one too.
 */
function familyOf(calendars: readonly SpokenThread[], isFiled: boolean): SpokenThread[] {
  const gives = (field: 'eps' | 'epsEstimate' | 'epsYearAgo') => (history: SpokenThread) =>
    history.observations.some(({ fields }) => fields[field] != null);
  const bringing = new Set(calendars.filter(gives('eps')).map(({ provider }) => provider));
  const first =
    calendars.find((history) => {
      const { provider } = history;
      if (bringing.has(provider)) return gives('eps')(history) || gives('epsEstimate')(history);
      return (
        gives('epsEstimate')(history) && !(isFiled && FILING_FIRST_PROVIDERS.includes(provider))
      );
    }) ?? (isFiled ? undefined : calendars.find(gives('epsYearAgo')));
  return calendars.filter((history) => history.provider === first?.provider);
}

interface Said {
  history: SpokenThread;
  observation: Observation<ReportFigures>;
}

/** What stands in time for `freezeAt`, if it is out; else the newest word. */
function chooseEstimate(
  histories: readonly SpokenThread[],
  field: 'epsEstimate' | 'revenueEstimate',
  freezeAt: Instant | null,
): (Said & { frozenAt: Instant | null }) | null {
  const speaks = (fields: ReportFigures): boolean => fields[field] !== undefined;
  for (const history of freezeAt === null ? [] : histories) {
    const observation = latestBefore(history, freezeAt ?? 0, speaks);
    if (observation !== null && observation.at > 0 && observation.fields[field] != null) {
      return { history, observation, frozenAt: observation.at };
    }
  }
  for (const history of histories) {
    const observation = latestBefore(history, Number.POSITIVE_INFINITY, speaks);
    if (observation?.fields[field] != null) return { history, observation, frozenAt: null };
  }
  return null;
}

/**
 * A result: what stands now, corrections too. Where nobody gives one any more, the last that was
 * given: a source that drops a figure does not make a report unpublished.
 */
function resultOf(
  histories: readonly SpokenThread[],
  field: Result,
  outAt: Instant,
): SourcedValue<string> | null {
  return firstSaid(histories, field) ?? lastGiven(histories, field, outAt);
}

/**
 * The last value that the first thread gave once the report was out, taken back or not: one given
 * before was no result. An operator who empties a cell means it.
 */
function lastGiven(
  histories: readonly SpokenThread[],
  field: Result,
  outAt: Instant,
): SourcedValue<string> | null {
  for (const history of histories) {
    if (history.provider === 'files') continue;
    const observation = history.observations.findLast(
      ({ at, fields }) => at >= outAt && fields[field] != null,
    );
    if (observation !== undefined) return read({ history, observation }, field);
  }
  return null;
}

type Spoken = Result | 'epsYearAgo' | 'epsEstimate' | 'revenueEstimate';

/** The newest word of the first thread that has a value. */
function firstSaid(histories: readonly SpokenThread[], field: Spoken): SourcedValue<string> | null {
  for (const history of histories) {
    const observation = history.observations.findLast(({ fields }) => fields[field] !== undefined);
    const found = observation === undefined ? null : read({ history, observation }, field);
    if (found !== null) return found;
  }
  return null;
}

function read<Field extends Spoken | 'estimateCount'>(
  { history, observation }: Said,
  field: Field,
): SourcedValue<NonNullable<ReportFigures[Field]>> | null {
  const value = observation.fields[field];
  if (value == null) return null;
  return { value, source: sourceOf(history, observation, (fields) => fields[field]) };
}

/** Who took back a figure, and when: that it is unknown now is news too. */
function withdrawnOf(histories: readonly SpokenThread[]): Figures['withdrawn'] {
  const withdrawn: Figures['withdrawn'] = {};
  for (const field of FIGURE_FIELDS) {
    for (const history of histories) {
      const observation = history.observations.findLast(
        ({ fields }) => fields[field] !== undefined,
      );
      if (observation === undefined || observation.fields[field] !== null) continue;
      const source = sourceOf(history, observation, (fields) => fields[field]);
      const isNews = history.observations.some(
        ({ at, fields }) => at < source.seenAt && fields[field] != null,
      );
      if (isNews) withdrawn[field] ??= source;
    }
  }
  return withdrawn;
}

/** A filed figure as the market first saw it. */
function filed(
  candidate: ReportCandidate,
  field: 'revenue' | 'epsDiluted',
): SourcedValue<string> | null {
  const history = candidate.financials;
  if (history === null) return null;
  const observation = latest(history);
  const figure: FiledFigure | null = observation.fields[field];
  if (figure === null) return null;
  const seenAt = unchangedSince(history, observation, (fields) => fields[field]?.first);
  return {
    value: figure.first,
    source: { provider: history.provider, feed: history.feed, seenAt },
  };
}

function basisOf(history: SpokenThread | undefined): EpsBasis | null {
  return history === undefined ? null : (latest(history).fields.epsBasis ?? null);
}
