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

/** Earnings per share for one period, as first and as last filed, in decimal text. */
export interface RefiledFigure {
  filedDate: LocalDate;
  first: Decimal;
  latest: Decimal;
  latestFiledDate: LocalDate;
  /** Date of the earliest filing after which every filing has `latest`. */
  latestSinceDate: LocalDate;
}

export interface ShareSplit {
  /** Date of the first filing on the new basis. The split happened on or before this date. */
  date: LocalDate;
  /** Date of the last filing before that, on the old basis. The split happened after this date. */
  after: LocalDate;
  ratio: SplitRatio;
}

/**
 * New shares per old shares: 10 for 1 is `{10, 1}`, and the reverse split 1 for 10 is `{1, 10}`.
 */
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
/**
 * Maximum relative uncertainty of a ratio, caused by rounding. A figure with a larger uncertainty
 * is not evidence.
 */
const ROOM_MAX = '0.25';
/**
 * Maximum uncertainty at which a single figure determines the ratio, if the ratio is 3 or more (or
 * a third or less).
 */
const PINNED_ROOM_MAX = '0.1';
/**
 * The corresponding maximum for 2 and 3:2, because ordinary restatements resemble these ratios more
 * often.
 */
const PINNED_SMALL_ROOM_MAX = '0.05';
/** Number of figures with the same ratio that are sufficient even if none is exact. */
const LOOSE_FIGURES_MIN = 3;
const PLACES_MORE = 4;
const FACTOR_PLACES = 12;

/**
 * Detects splits from refiled earnings per share, oldest first.
 *
 * A figure is evidence if first/latest matches exactly one common ratio other than 1 within the
 * rounding to cents. Figures with the same ratio that were refiled across a common day form one
 * split, dated at their earliest refiling. A split is accepted if
 * - a figure determines the ratio to a tenth (a twentieth below 3), or three figures agree: a
 *   restatement from 0.10 to 0.05 alone isn't enough, one from 1.00 to 0.50 is;
 * - more of the figures refiled across that day agree with it than contradict it with an
 *   unchanged value or a different ratio, because discontinued operations and typing errors change
 *   single periods;
 * - it isn't the product of two splits, as shown by a figure refiled across both.
 *
 * Uncommon ratios (11:10, 1:12), zero, a change of sign, and EPS so small that several ratios fit
 * are not evidence.
 */
export function deriveShareSplits(figures: readonly RefiledFigure[]): ShareSplit[] {
  const evidence = figures.flatMap((figure) => {
    const ratio = ratioOf(figure);
    return ratio === null || ratio === NO_SPLIT ? [] : [{ ...figure, ratio }];
  });
  const groups = [...Map.groupBy(evidence, ({ ratio }) => ratio).values()].flatMap(groupByDay);
  const single = groups.filter((group) => !isProduct(group, groups));
  const accepted = single.filter((group) => isEnough(group) && isAgreed(group, single, figures));
  return accepted
    .map((group) => toSplit(group, accepted, evidence, figures))
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** Returns the product of these splits with up to 12 decimals, or 1 if there are none. */
export function factorOfSplits(splits: readonly Pick<ShareSplit, 'ratio'>[]): Decimal {
  const { numerator, denominator } = productOf(splits);
  return divideDecimals(String(numerator), String(denominator), FACTOR_PLACES) ?? '1';
}

/**
 * Converts a per-share figure from the given date to today's basis by dividing it by later splits.
 * Keeps up to four additional decimals, rounded half away from zero.
 */
export function toTodaysBasis(
  value: Decimal,
  splits: readonly ShareSplit[],
  sinceDate: LocalDate,
): Decimal {
  return divideBySplits(value, splitsAfter(splits, sinceDate));
}

/** Divides a figure by the product of these splits, rounded as in `toTodaysBasis`. */
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

/**
 * Returns the only common ratio that matches first/latest, or `NO_SPLIT` if they are equal within
 * rounding, or null if the figure is not evidence.
 */
function ratioOf(figure: RefiledFigure): SplitRatio | null {
  if (!hasRoomWithin(figure, ROOM_MAX)) return null;
  if (fits(figure, NO_SPLIT)) return NO_SPLIT;
  const [only, ...others] = USUAL_RATIOS.filter((ratio) => fits(figure, ratio));
  return only !== undefined && others.length === 0 ? only : null;
}

/**
 * Checks |first − r × latest| ≤ half a cent × (1 + r), multiplied by the denominator to stay exact.
 */
function fits({ first, latest }: RefiledFigure, { numerator, denominator }: SplitRatio): boolean {
  const difference = subtractDecimals(
    multiplyDecimals(first, String(denominator)),
    multiplyDecimals(latest, String(numerator)),
  );
  const slack = multiplyDecimals(HALF_CENT, String(numerator + denominator));
  return compareDecimals(absoluteDecimal(difference), slack) <= 0;
}

/**
 * Returns true if both values have the same sign and their rounding leaves the ratio at most this
 * uncertain.
 */
function hasRoomWithin({ first, latest }: RefiledFigure, roomMax: Decimal): boolean {
  const product = multiplyDecimals(first, latest);
  if (compareDecimals(product, '0') <= 0) return false;
  const sum = absoluteDecimal(addDecimals(first, latest));
  const room = multiplyDecimals('0.01', sum);
  return compareDecimals(room, multiplyDecimals(roomMax, product)) <= 0;
}

/** Groups figures that were refiled across a common day, starting with the earliest refiling. */
function groupByDay(evidence: readonly Evidence[]): Evidence[][] {
  const groups: Evidence[][] = [];
  let unassigned = evidence.toSorted((a, b) => (a.latestSinceDate < b.latestSinceDate ? -1 : 1));
  for (let [first] = unassigned; first !== undefined; [first] = unassigned) {
    const day = first.latestSinceDate;
    groups.push(unassigned.filter((figure) => movedAcross(figure, day)));
    unassigned = unassigned.filter((figure) => !movedAcross(figure, day));
  }
  return groups;
}

function movedAcross({ filedDate, latestSinceDate }: RefiledFigure, day: LocalDate): boolean {
  return filedDate < day && day <= latestSinceDate;
}

/**
 * Returns true if every figure in the group was refiled across other splits whose product is its
 * ratio.
 */
function isProduct(group: readonly Evidence[], groups: readonly Evidence[][]): boolean {
  return group.every((figure) => {
    const parts = groups.filter((other) => other !== group && mayHaveCrossed(figure, other));
    return parts.length > 1 && isSame(productOf(parts.map(headOf)), figure.ratio);
  });
}

/** Returns true if the figure may have been refiled across the group's split. */
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
  const contradicting = figures.filter((figure) => {
    const ratio = ratioOf(figure);
    if (ratio === null || isSame(ratio, headOf(group).ratio)) return false;
    if (ratio === NO_SPLIT) return figure.filedDate < day && day <= figure.latestFiledDate;
    if (!movedAcross(figure, day)) return false;
    const across = groups.filter((other) => mayHaveCrossed(figure, other));
    return !isSame(productOf(across.map(headOf)), ratio);
  });
  return group.length > contradicting.length;
}

function isSame(a: SplitRatio, b: SplitRatio): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

/**
 * Creates the split from a group. A figure that combines this split with others may show an earlier
 * date. Every periodic report refiles some figures, so a report before that date would have shown
 * the new basis.
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
  const earlierDates = figures.map(({ filedDate }) => filedDate).filter((filed) => filed < date);
  return { date, after: earlierDates.toSorted().at(-1) ?? date, ratio: headOf(group).ratio };
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
  if (head === undefined) throw new RangeError('a split needs evidence');
  return head;
}
