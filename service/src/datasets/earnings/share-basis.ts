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
  unchangedSince,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import type { ReportCandidate, FinancialsHistory } from './report-candidate.ts';
import type { EarningsObservation, FiledFigure, ReportFigures } from './observation.ts';
import type { FieldSource } from './row.ts';

/** A split and the record that first told it. */
export interface KnownSplit extends ShareSplit {
  source: FieldSource;
}

/** What a draft is on today's share basis. */
export interface Rebased {
  candidate: ReportCandidate;
  /** Product of the splits since the report; `1` if none. */
  splitFactor: Decimal;
  /** Who told the newest of them. */
  splitSource: FieldSource | null;
}

type SpokenSighting = Observation<ReportFigures>;

/** A report in the midst of the splits of its company. */
interface Report {
  candidate: ReportCandidate;
  releaseDate: LocalDate;
  /** When its figures were first filed; null when they were not. */
  filedDate: LocalDate | null;
  splits: readonly KnownSplit[];
}

const EPS_FIELDS = ['epsDiluted', 'epsDilutedYear'] as const;
/** Revenue restated by more than this share: the period was counted anew, EPS with it. */
const RESTATED_MIN = '0.02';
/** A press release and a filing this near are on one basis. */
const SAME_BASIS_DAYS_MAX = 3;
/** Beyond this a filing is not the report's own but a later one that repeats it. */
const OWN_FILING_DAYS_MAX = 100;

/** The splits that the company's own filings reveal, oldest first. */
export function filedSplits(
  histories: readonly ObservationHistory<EarningsObservation>[],
): KnownSplit[] {
  const financials = histories.filter(isFinancials);
  const figures = financials.flatMap((history) => {
    if (isRestated(latest(history).fields.revenue)) return [];
    return EPS_FIELDS.flatMap((field) => {
      const figure = latest(history).fields[field];
      if (figure == null) return [];
      const seenAt = unchangedSince(history, latest(history), (fields) => fields[field]?.latest);
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
 * The draft with every EPS on today's share basis, and the splits since its report.
 * A filed figure is on the basis of its filing, a calendar's on that of the day it was seen: once a
 * split is done sources show adjusted figures. Between the last filing before a split and the first
 * one after it nobody told the day; then a figure is on the basis by which it comes nearest to what
 * is known of the same report. Revenue is left alone.
 */
export function toTodaysShareBasis(
  candidate: ReportCandidate,
  releaseDate: LocalDate,
  splits: readonly KnownSplit[],
): Rebased {
  if (splits.length === 0) return { candidate, splitFactor: '1', splitSource: null };
  const report = {
    draft: candidate,
    releaseDate,
    filedDate: ownFiledDate(candidate, releaseDate),
    splits,
  };
  const calendars = candidate.calendars.map((history) => rebaseHistory(history, report));
  const figures = candidate.figures.map((history) => rebaseHistory(history, report));
  const financials =
    candidate.financials === null ? null : rebaseFinancials(candidate.financials, splits);
  const since = splits.filter((split) => isReportedBefore(split, report));
  return {
    candidate: { ...candidate, calendars, figures, financials },
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
  const ahead = report.splits.filter((split) => isSeenBefore(split, observation, report));
  if (ahead.length === 0) return observation;
  const fields = { ...observation.fields };
  for (const field of ['epsEstimate', 'eps', 'epsYearAgo'] as const) {
    const value = fields[field];
    if (value != null) fields[field] = divideBySplits(value, ahead);
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

/** Whether the sighting's figures are on the basis before the split. */
function isSeenBefore(split: ShareSplit, observation: SpokenSighting, report: Report): boolean {
  const seen = seenDate(observation, report);
  if (!liesBetween(seen, split)) return seen <= split.after;
  const isOut = seen >= report.releaseDate;
  if (isOut && isFiledAfter(split, report) && filingLag(report) <= SAME_BASIS_DAYS_MAX) {
    return false;
  }
  return isNearerBefore(split, observation, report) ?? !(isOut && isFiledAfter(split, report));
}

/**
 * Whether the report came before the split. One of the days between, whose own filing is on the new
 * basis, is taken for one after it, unless a calendar then showed a figure on the old basis.
 */
function isReportedBefore(split: ShareSplit, report: Report): boolean {
  const { releaseDate, candidate: draft } = report;
  if (!liesBetween(releaseDate, split)) return releaseDate <= split.after;
  const shown = draft.calendars
    .flatMap(({ observations }) => observations)
    .filter(({ fields }) => fields.eps != null)
    .filter((observation) => {
      const seen = seenDate(observation, report);
      return seen >= releaseDate && liesBetween(seen, split);
    })
    .toSorted((a, b) => a.at - b.at);
  const [first] = shown;
  return first === undefined ? !isFiledAfter(split, report) : isSeenBefore(split, first, report);
}

/** By which basis the sighting's figure comes nearer to the known one; null when nothing tells. */
function isNearerBefore(
  split: ShareSplit,
  observation: SpokenSighting,
  report: Report,
): boolean | null {
  const value = figureOf(observation);
  const known = knownFigure(report);
  if (value === null || known === null) return null;
  const before = distance(toTodaysBasis(value, report.splits, split.after), known);
  const after = distance(toTodaysBasis(value, report.splits, split.date), known);
  return before === null || after === null || before === after ? null : before < after;
}

/**
 * What the report's EPS is about, on today's basis: what a calendar said on a day that leaves no
 * doubt, else the filed figure, else a quarter of the filed year.
 */
function knownFigure({ candidate: draft, splits, ...rest }: Report): number | null {
  const report = { draft, splits, ...rest };
  const certain = draft.calendars
    .flatMap(({ observations }) => observations)
    .filter((observation) => {
      const seen = seenDate(observation, report);
      return figureOf(observation) !== null && !splits.some((split) => liesBetween(seen, split));
    })
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  const said = certain === undefined ? null : figureOf(certain);
  if (certain !== undefined && said !== null) {
    return decimalToNumber(toTodaysBasis(said, splits, seenDate(certain, report)));
  }
  if (draft.financials === null) return null;
  const { epsDiluted, epsDilutedYear } = latest(draft.financials).fields;
  if (epsDiluted !== null) return filedOnTodays(epsDiluted, splits);
  return epsDilutedYear == null ? null : filedOnTodays(epsDilutedYear, splits) / 4;
}

function filedOnTodays({ first, filedDate }: FiledFigure, splits: readonly ShareSplit[]): number {
  return decimalToNumber(toTodaysBasis(first, splits, filedDate));
}

function figureOf({ fields }: SpokenSighting): Decimal | null {
  return fields.epsEstimate ?? fields.eps ?? null;
}

/** How far apart as a ratio; null when one is zero or they differ in sign. */
function distance(value: Decimal, known: number): number | null {
  const ratio = decimalToNumber(value) / known;
  return Number.isFinite(ratio) && ratio > 0 ? Math.abs(Math.log(ratio)) : null;
}

/** The day of the sighting; of one whose time is not known, the day of the report. */
function seenDate({ at }: SpokenSighting, { releaseDate }: Report): LocalDate {
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

function ownFiledDate({ financials }: ReportCandidate, releaseDate: LocalDate): LocalDate | null {
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
  const moved = absoluteDecimal(subtractDecimals(revenue.latest, revenue.first));
  const allowed = multiplyDecimals(RESTATED_MIN, absoluteDecimal(revenue.first));
  return compareDecimals(moved, allowed) > 0;
}
