import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalPlaces,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from './decimal.ts';
import type { LocalDate } from './local-date.ts';

/** Earnings per share of one period, as first and as last filed; decimal text. */
export interface RefiledFigure {
  filedDate: LocalDate;
  first: Decimal;
  latest: Decimal;
  latestFiledDate: LocalDate;
  /** The earliest filing since which every one has given `latest`. */
  latestSinceDate: LocalDate;
}

export interface ShareSplit {
  /** Of the first filing on the new basis: the split came on or before it. */
  date: LocalDate;
  /** Of the last filing before that, on the old basis: the split came after it. */
  after: LocalDate;
  ratio: SplitRatio;
}

/** New shares for old ones: 10 for 1 is `{10, 1}`, the reverse split 1 for 10 is `{1, 10}`. */
export interface SplitRatio {
  numerator: number;
  denominator: number;
}

interface Evidence extends RefiledFigure {
  ratio: SplitRatio;
}

const FORWARD = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50];
const USUAL_RATIOS: readonly SplitRatio[] = [
  { numerator: 3, denominator: 2 },
  ...FORWARD.map((numerator) => ({ numerator, denominator: 1 })),
  ...FORWARD.map((denominator) => ({ numerator: 1, denominator })),
];
const NO_SPLIT: SplitRatio = { numerator: 1, denominator: 1 };
const HALF_CENT = '0.005';
/** A figure whose rounding leaves the ratio more room than this, as a share of it, says nothing. */
const ROOM_MAX = '0.25';
/** The room within which a ratio counts as pinned, if it is 3 or more (or a third or less). */
const PINNED_ROOM_MAX = '0.1';
/** The same for 2 and 3:2, which ordinary restatements come near more often. */
const PINNED_SMALL_ROOM_MAX = '0.05';
/** So many figures of one ratio are enough although none pins it. */
const LOOSE_FIGURES_MIN = 3;
const PLACES_MORE = 4;
const FACTOR_PLACES = 12;

/**
 * The splits that refiled earnings per share reveal, oldest first.
 *
 * A figure is evidence when first/latest is one usual ratio within the rounding of cents, and no
 * other one and not 1. Figures of one ratio that were refiled across a common day are one split,
 * dated at the earliest refiling among them. It stands when
 * - a figure pins the ratio to a tenth (a twentieth below 3), or three figures agree: a restatement
 *   from 0.10 to 0.05 alone is no split, from 1.00 to 0.50 it would be;
 * - more figures refiled across that day agree with it than contradict it, by not having moved or
 *   by showing another ratio: discontinued operations and typing errors move single periods;
 * - it is not two splits seen as one: a figure refiled across both shows their product.
 * Unusual ratios (11:10, 1:12) say nothing, nor do zero, a change of sign, and EPS so small that
 * several ratios fit.
 */
export function deriveShareSplits(figures: readonly RefiledFigure[]): ShareSplit[] {
  const evidence = figures.flatMap((figure) => {
    const ratio = ratioOf(figure);
    return ratio === null || ratio === NO_SPLIT ? [] : [{ ...figure, ratio }];
  });
  const groups = [...Map.groupBy(evidence, ({ ratio }) => ratio).values()].flatMap(groupByDay);
  const single = groups.filter((group) => !isProduct(group, groups));
  const stand = single.filter((group) => isEnough(group) && isAgreed(group, single, figures));
  return stand
    .map((group) => toSplit(group, stand, evidence, figures))
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/**
 * Today's shares for one of that day: the product of the splits after it; 1 if none. What was filed
 * on the day of a split is on its new basis. Up to 12 decimals.
 */
export function splitFactorSince(splits: readonly ShareSplit[], date: LocalDate): Decimal {
  return factorOfSplits(splitsAfter(splits, date));
}

/** The product of these splits; 1 if none. Up to 12 decimals. */
export function factorOfSplits(splits: readonly ShareSplit[]): Decimal {
  const { numerator, denominator } = productOf(splits);
  return divideDecimals(String(numerator), String(denominator), FACTOR_PLACES) ?? '1';
}

/**
 * A figure per share of that day's basis on today's: divided by the splits after it, up to four
 * decimals beyond its own, half away from zero.
 */
export function toTodaysBasis(
  value: Decimal,
  splits: readonly ShareSplit[],
  sinceDate: LocalDate,
): Decimal {
  return divideBySplits(value, splitsAfter(splits, sinceDate));
}

/** The figure divided by the product of these splits, rounded as above. */
export function divideBySplits(value: Decimal, splits: readonly ShareSplit[]): Decimal {
  const { numerator, denominator } = productOf(splits);
  if (numerator === denominator) return value;
  const places = decimalPlaces(value) + PLACES_MORE;
  const scaled = multiplyDecimals(value, String(denominator));
  return divideDecimals(scaled, String(numerator), places) ?? value;
}

function splitsAfter(splits: readonly ShareSplit[], date: LocalDate): ShareSplit[] {
  return splits.filter((split) => split.date > date);
}

function productOf(splits: readonly { ratio: SplitRatio }[]): SplitRatio {
  return splits.reduce((product, { ratio }) => times(product, ratio), NO_SPLIT);
}

function times(a: SplitRatio, b: SplitRatio): SplitRatio {
  return {
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  };
}

/** The one usual ratio that first/latest shows, or `NO_SPLIT`; null when the figure says nothing. */
function ratioOf(figure: RefiledFigure): SplitRatio | null {
  if (!hasRoomWithin(figure, ROOM_MAX)) return null;
  if (fits(figure, NO_SPLIT)) return NO_SPLIT;
  const [only, ...others] = USUAL_RATIOS.filter((ratio) => fits(figure, ratio));
  return only !== undefined && others.length === 0 ? only : null;
}

/** |first − r × latest| ≤ half a cent × (1 + r), times the denominator so that it stays exact. */
function fits({ first, latest }: RefiledFigure, { numerator, denominator }: SplitRatio): boolean {
  const off = subtractDecimals(
    multiplyDecimals(first, String(denominator)),
    multiplyDecimals(latest, String(numerator)),
  );
  const slack = multiplyDecimals(HALF_CENT, String(numerator + denominator));
  return compareDecimals(absoluteDecimal(off), slack) <= 0;
}

/** Whether both have one sign and their rounding leaves the ratio no more room than this. */
function hasRoomWithin({ first, latest }: RefiledFigure, roomMax: Decimal): boolean {
  const product = multiplyDecimals(first, latest);
  if (compareDecimals(product, '0') <= 0) return false;
  const sum = absoluteDecimal(addDecimals(first, latest));
  const room = multiplyDecimals('0.01', sum);
  return compareDecimals(room, multiplyDecimals(roomMax, product)) <= 0;
}

/** Groups that were refiled across a common day, the earliest refiling of each. */
function groupByDay(evidence: readonly Evidence[]): Evidence[][] {
  const groups: Evidence[][] = [];
  let rest = evidence.toSorted((a, b) => (a.latestSinceDate < b.latestSinceDate ? -1 : 1));
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const day = first.latestSinceDate;
    groups.push(rest.filter((figure) => movedAcross(figure, day)));
    rest = rest.filter((figure) => !movedAcross(figure, day));
  }
  return groups;
}

function movedAcross({ filedDate, latestSinceDate }: RefiledFigure, day: LocalDate): boolean {
  return filedDate < day && day <= latestSinceDate;
}

/** Whether every figure of the group was refiled across other splits that make up its ratio. */
function isProduct(group: readonly Evidence[], groups: readonly Evidence[][]): boolean {
  return group.every((figure) => {
    const parts = groups.filter((other) => other !== group && mayHaveCrossed(figure, other));
    return parts.length > 1 && isSame(productOf(parts.map(headOf)), figure.ratio);
  });
}

/** Whether the figure moved at a time when that split may have come. */
function mayHaveCrossed(figure: RefiledFigure, group: readonly Evidence[]): boolean {
  return figure.filedDate < dayOf(group) && figure.latestSinceDate > lastOldDay(group);
}

function isEnough(group: readonly Evidence[]): boolean {
  return group.length >= LOOSE_FIGURES_MIN || group.some(isPinned);
}

function isPinned(figure: Evidence): boolean {
  const { numerator, denominator } = figure.ratio;
  const isSmall = Math.max(numerator / denominator, denominator / numerator) < 3;
  return hasRoomWithin(figure, isSmall ? PINNED_SMALL_ROOM_MAX : PINNED_ROOM_MAX);
}

function isAgreed(
  group: readonly Evidence[],
  groups: readonly Evidence[][],
  figures: readonly RefiledFigure[],
): boolean {
  const day = dayOf(group);
  const against = figures.filter((figure) => {
    const ratio = ratioOf(figure);
    if (ratio === null || isSame(ratio, headOf(group).ratio)) return false;
    if (ratio === NO_SPLIT) return figure.filedDate < day && day <= figure.latestFiledDate;
    if (!movedAcross(figure, day)) return false;
    const across = groups.filter((other) => mayHaveCrossed(figure, other));
    return !isSame(productOf(across.map(headOf)), ratio);
  });
  return group.length > against.length;
}

function isSame(a: SplitRatio, b: SplitRatio): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

/**
 * A figure that shows this split and others as one may date it earlier. Every periodic report
 * refiles something, so one filed before that day would have shown the new basis.
 */
function toSplit(
  group: readonly Evidence[],
  groups: readonly Evidence[][],
  evidence: readonly Evidence[],
  figures: readonly RefiledFigure[],
): ShareSplit {
  const earlier = evidence.filter((figure) => {
    if (!mayHaveCrossed(figure, group)) return false;
    const across = groups.filter((other) => mayHaveCrossed(figure, other));
    return isSame(productOf(across.map(headOf)), figure.ratio);
  });
  const date = earlier.map((figure) => figure.latestSinceDate).toSorted()[0] ?? dayOf(group);
  const before = figures.map(({ filedDate }) => filedDate).filter((filed) => filed < date);
  return { date, after: before.toSorted().at(-1) ?? date, ratio: headOf(group).ratio };
}

function lastOldDay(group: readonly Evidence[]): LocalDate {
  return (
    group
      .map(({ filedDate }) => filedDate)
      .toSorted()
      .at(-1) ?? dayOf(group)
  );
}

function dayOf(group: readonly Evidence[]): LocalDate {
  return headOf(group).latestSinceDate;
}

function headOf(group: readonly Evidence[]): Evidence {
  const [head] = group;
  if (head === undefined) throw new RangeError('a split without evidence');
  return head;
}
