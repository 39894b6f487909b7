import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  decimalToNumber,
  multiplyDecimals,
  subtractDecimals,
} from '../../domain/decimal.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import {
  deriveShareSplits,
  divideBySplits,
  factorOfSplits,
  type ShareSplit,
  toTodaysBasis,
} from '../../domain/share-splits.ts';
import {
  latest,
  type Observation,
  type ObservationHistory,
  unchangedSince,
} from '../source-records/observation-history.ts';
import { convertConsensus } from './estimates.ts';
import type { EarningsObservation, FiledFigure, ReportFigures } from './observation.ts';
import type {
  FinancialsHistory,
  KnownSplit,
  ReleaseHistory,
  ReportCandidate,
  StatedFigureHistory,
} from './report-candidate.ts';
import type { FieldSource } from './row.ts';

/** A candidate on today's share basis. */
export interface RebasedCandidate {
  candidate: ReportCandidate;
  /** Product of all splits since the report; `1` if there are none. */
  splitFactor: Decimal;
  /** Source of the newest split in the factor. */
  splitSource: FieldSource | null;
}

type FiguresObservation = Observation<ReportFigures>;

/** A report with everything that determines the share basis of its figures. */
interface Report {
  candidate: ReportCandidate;
  releaseDate: LocalDate;
  /** Date on which the report's figures were first filed; null if they were never filed. */
  filedDate: LocalDate | null;
  splits: readonly KnownSplit[];
}

const EPS_FIELDS = ['epsDiluted', 'epsDilutedYear'] as const;
/** A larger change in revenue means that the whole period was restated, including EPS. */
const RESTATED_MIN = '0.02';
/** A press release and a filing this close together use the same basis. */
const SAME_BASIS_DAYS_MAX = 3;
/** A filing later than this is not the report's own filing, but one that repeats its figures. */
const OWN_FILING_DAYS_MAX = 100;

/** Returns the splits revealed by the company's filings, oldest first. */
export function filedSplits(
  histories: readonly ObservationHistory<EarningsObservation>[],
): KnownSplit[] {
  const financials = histories.filter(isFinancials);
  const figures = financials.flatMap((history) => {
    const newest = latest(history);
    if (isRestated(newest.fields.revenue)) return [];
    return EPS_FIELDS.flatMap((field) => {
      const figure = newest.fields[field];
      if (figure == null) return [];
      const seenAt = unchangedSince(history, newest, (fields) => fields[field]?.latest);
      return [{ ...figure, source: { provider: history.provider, feed: history.feed, seenAt } }];
    });
  });
  return deriveShareSplits(figures).flatMap((split) => {
    const [first] = figures
      .filter((figure) => figure.filedDate < split.date && split.date <= figure.latestSinceDate)
      .map(({ source }) => source)
      .toSorted((a, b) => a.seenAt - b.seenAt);
    return first === undefined ? [] : [{ ...split, source: first }];
  });
}

/**
 * Converts every EPS of the candidate to today's share basis. A filed figure has the basis of its
 * filing. A calendar figure has the basis of the day on which it was seen, because sources show
 * adjusted figures once a split has taken effect. The split date between the last filing before a
 * split and the first one after it is unknown. A figure from those days is assigned the basis on
 * which it is closest to the known figure for the same report. Revenue is not converted.
 */
export function toTodaysShareBasis(
  candidate: ReportCandidate,
  releaseDate: LocalDate,
  splits: readonly KnownSplit[],
): RebasedCandidate {
  if (splits.length === 0) return { candidate, splitFactor: '1', splitSource: null };
  const { financials } = candidate;
  const filedDate = ownFiledDate(financials, releaseDate);
  const report: Report = { candidate, releaseDate, filedDate, splits };
  const since = splits.filter((split) => isReportedBefore(split, report));
  return {
    candidate: {
      ...candidate,
      calendars: candidate.calendars.map((history) => rebaseHistory(history, report)),
      figures: candidate.figures.map((history) => rebaseHistory(history, report)),
      financials: financials === null ? null : rebaseFinancials(financials, splits),
      stated: candidate.stated.map((history) => rebaseStated(history, since)),
      release: candidate.release === null ? null : rebaseGuidance(candidate.release, since),
    },
    splitFactor: factorOfSplits(since),
    splitSource: since.at(-1)?.source ?? null,
  };
}

function rebaseHistory<Fields extends ReportFigures>(
  history: ObservationHistory<Fields>,
  report: Report,
): ObservationHistory<Fields> {
  const observations = history.observations.map((observation) =>
    rebaseObservation(observation, report),
  );
  return { ...history, observations };
}

function rebaseObservation<Fields extends ReportFigures>(
  observation: Observation<Fields>,
  report: Report,
): Observation<Fields> {
  const later = report.splits.filter((split) => isSeenBefore(split, observation, report));
  if (later.length === 0) return observation;
  const fields = { ...observation.fields };
  for (const field of ['epsEstimate', 'eps', 'epsYearAgo'] as const) {
    const value = fields[field];
    if (value != null) fields[field] = divideBySplits(value, later);
  }
  if (fields.epsConsensus != null) {
    fields.epsConsensus = convertConsensus(fields.epsConsensus, (eps) =>
      divideBySplits(eps, later),
    );
  }
  return { ...observation, fields };
}

function rebaseFinancials(
  history: FinancialsHistory,
  splits: readonly ShareSplit[],
): FinancialsHistory {
  const observations = history.observations.map((observation) => {
    const eps = observation.fields.epsDiluted;
    if (eps === null) return observation;
    const epsDiluted = { ...eps, first: toTodaysBasis(eps.first, splits, eps.filedDate) };
    return { ...observation, fields: { ...observation.fields, epsDiluted } };
  });
  return { ...history, observations };
}

/** A press release has the basis of the report. */
function rebaseStated(
  history: StatedFigureHistory,
  since: readonly ShareSplit[],
): StatedFigureHistory {
  if (since.length === 0 || latest(history).fields.figure === 'revenue') return history;
  const observations = history.observations.map((observation) => {
    const { value, yearAgo } = observation.fields;
    const rebased = {
      value: divideBySplits(value, since),
      yearAgo: yearAgo === null ? null : divideBySplits(yearAgo, since),
    };
    return { ...observation, fields: { ...observation.fields, ...rebased } };
  });
  return { ...history, observations };
}

function rebaseGuidance(history: ReleaseHistory, since: readonly ShareSplit[]): ReleaseHistory {
  if (since.length === 0) return history;
  const observations = history.observations.map((observation) => {
    const guidance = (observation.fields.guidance ?? []).map((range) => {
      if (range.metric === 'revenue') return range;
      const [low, high] = [divideBySplits(range.low, since), divideBySplits(range.high, since)];
      return { ...range, low, high };
    });
    return { ...observation, fields: { ...observation.fields, guidance } };
  });
  return { ...history, observations };
}

/** Returns whether the observation's figures are on the pre-split basis. */
function isSeenBefore(split: ShareSplit, observation: FiguresObservation, report: Report): boolean {
  const seenOn = seenDate(observation, report);
  if (!liesBetween(seenOn, split)) return seenOn <= split.after;
  const isOut = seenOn >= report.releaseDate;
  if (isOut && isFiledAfter(split, report) && filingLag(report) <= SAME_BASIS_DAYS_MAX) {
    return false;
  }
  return isCloserBefore(split, observation, report) ?? !(isOut && isFiledAfter(split, report));
}

/**
 * Returns whether the report was published before the split. If the split happened on one of
 * several days, a report from those days counts as published after it if its filing has figures
 * after the split, unless a calendar showed a figure from before the split at that time.
 */
function isReportedBefore(split: ShareSplit, report: Report): boolean {
  const { releaseDate, candidate } = report;
  if (!liesBetween(releaseDate, split)) return releaseDate <= split.after;
  const [first] = candidate.calendars
    .flatMap(({ observations }) => observations)
    .filter(({ fields }) => fields.eps != null)
    .filter((observation) => {
      const seenOn = seenDate(observation, report);
      return seenOn >= releaseDate && liesBetween(seenOn, split);
    })
    .toSorted((a, b) => a.at - b.at);
  return first === undefined ? !isFiledAfter(split, report) : isSeenBefore(split, first, report);
}

/**
 * Returns whether the figure is closer to the known figure on the pre-split basis; null if
 * undecided.
 */
function isCloserBefore(
  split: ShareSplit,
  observation: FiguresObservation,
  report: Report,
): boolean | null {
  const value = figureOf(observation);
  const expected = expectedFigure(report);
  if (value === null || expected === null) return null;
  const before = distance(toTodaysBasis(value, report.splits, split.after), expected);
  const after = distance(toTodaysBasis(value, report.splits, split.date), expected);
  return before === null || after === null || before === after ? null : before < after;
}

/**
 * Returns the report's approximate EPS, adjusted for all splits to date: a calendar figure from a
 * day on which it is certain which splits it includes, otherwise the filed figure, otherwise a
 * quarter of the annual figure.
 */
function expectedFigure(report: Report): number | null {
  const { candidate, splits } = report;
  const certain = candidate.calendars
    .flatMap(({ observations }) => observations)
    .filter((observation) => {
      const seenOn = seenDate(observation, report);
      return figureOf(observation) !== null && !splits.some((split) => liesBetween(seenOn, split));
    })
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  const figure = certain === undefined ? null : figureOf(certain);
  if (certain !== undefined && figure !== null) {
    return decimalToNumber(toTodaysBasis(figure, splits, seenDate(certain, report)));
  }
  if (candidate.financials === null) return null;
  const { epsDiluted, epsDilutedYear } = latest(candidate.financials).fields;
  if (epsDiluted !== null) return filedOnTodaysBasis(epsDiluted, splits);
  return epsDilutedYear == null ? null : filedOnTodaysBasis(epsDilutedYear, splits) / 4;
}

function filedOnTodaysBasis(
  { first, filedDate }: FiledFigure,
  splits: readonly ShareSplit[],
): number {
  return decimalToNumber(toTodaysBasis(first, splits, filedDate));
}

function figureOf({ fields }: FiguresObservation): Decimal | null {
  return fields.epsEstimate ?? fields.eps ?? null;
}

/** Returns the distance as a ratio; null if one value is zero or the signs differ. */
function distance(value: Decimal, expected: number): number | null {
  const ratio = decimalToNumber(value) / expected;
  return Number.isFinite(ratio) && ratio > 0 ? Math.abs(Math.log(ratio)) : null;
}

/** Returns the date of the observation, or the report date if the observation time is unknown. */
function seenDate({ at }: FiguresObservation, { releaseDate }: Report): LocalDate {
  return at > 0 ? newYorkDate(at) : releaseDate;
}

function liesBetween(date: LocalDate, { after, date: first }: ShareSplit): boolean {
  return after < date && date < first;
}

function isFiledAfter(split: ShareSplit, { filedDate }: Report): boolean {
  return filedDate !== null && filedDate >= split.date;
}

function filingLag({ filedDate, releaseDate }: Report): number {
  return filedDate === null ? Infinity : daysBetween(releaseDate, filedDate);
}

function ownFiledDate(
  financials: FinancialsHistory | null,
  releaseDate: LocalDate,
): LocalDate | null {
  if (financials === null) return null;
  const { revenue, epsDiluted, epsDilutedYear } = latest(financials).fields;
  const [first] = [revenue, epsDiluted, epsDilutedYear]
    .flatMap((figure) => (figure == null ? [] : [figure.filedDate]))
    .toSorted();
  return first !== undefined && daysBetween(releaseDate, first) <= OWN_FILING_DAYS_MAX
    ? first
    : null;
}

function isFinancials(
  history: ObservationHistory<EarningsObservation>,
): history is FinancialsHistory {
  return latest(history).fields.kind === 'financials';
}

function isRestated(revenue: FiledFigure | null): boolean {
  if (revenue === null) return false;
  const change = absoluteDecimal(subtractDecimals(revenue.latest, revenue.first));
  const allowed = multiplyDecimals(RESTATED_MIN, absoluteDecimal(revenue.first));
  return compareDecimals(change, allowed) > 0;
}
