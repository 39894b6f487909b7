import { type RuleRecord, weekdayOf, weekdayShares } from './date-rules.ts';
import type { ReportContext } from './report-context.ts';

/**
 * Names of the features of a candidate day, in the order of the values and of the weights. Distances
 * are in weeks.
 */
export const FEATURES = [
  'same week as a year ago',
  'one week after that',
  'one day from that',
  'shifted like the last report',
  'weekday share, logarithm',
  'weekday of the last report',
  'Monday',
  'Friday',
  'days from the anniversary beyond four',
  'distance from the mean shift',
  'before the earliest anniversary',
  'after the latest anniversary',
  'distance from the median anniversary',
  'distance from the mean anniversary',
  'distance from the gap of a year ago',
  '13 weeks after the last report',
  'best record of a rule with this day',
  'best record of a rule near this day',
] as const;

/** Number of years whose anniversaries bound the season. */
const SEASON_YEARS_MIN = 4;
const QUARTER_DAYS = 91;

/** Returns a function that gives the features of a day. */
export function featuresOf(
  context: ReportContext,
  records: readonly RuleRecord[],
): (day: number) => number[] {
  const { anchor, anniversaries, recent, shifts, gapDays } = context;
  const shares = weekdayShares(context);
  const sorted = anniversaries.toSorted((a, b) => a - b);
  const hasSeason = sorted.length >= SEASON_YEARS_MIN;
  const earliest = sorted[0] ?? 0;
  const latest = sorted.at(-1) ?? 0;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const mean = sorted.reduce((sum, offset) => sum + offset, 0) / sorted.length;
  const meanShift = shifts.reduce<number>((sum, shift) => sum + (shift ?? 0), 0) / 3;
  const [last = anchor] = recent;
  const ruled = records.flatMap(({ rule, hitShare, nearShare }) => {
    const day = rule.dayOf(context);
    return day === null ? [] : [{ day, hitShare, nearShare }];
  });
  return (day) => {
    const offset = day - anchor;
    const weekday = weekdayOf(day);
    const best = ruled.filter((each) => each.day === day).map(({ hitShare }) => hitShare);
    const near = ruled
      .filter((each) => Math.abs(each.day - day) === 1)
      .map(({ hitShare, nearShare }) => nearShare - hitShare);
    return [
      Number(offset === 0),
      Number(offset === 7),
      Number(Math.abs(offset) === 1),
      Number(offset === shifts[0]),
      Math.log(shares[weekday] ?? 1),
      Number(weekday === weekdayOf(last)),
      Number(weekday === 1),
      Number(weekday === 5),
      Math.max(0, Math.abs(offset - (anniversaries[0] ?? 0)) - 4) / 7,
      Math.abs(offset - meanShift) / 7,
      hasSeason ? Math.max(0, earliest - offset) / 7 : 0,
      hasSeason ? Math.max(0, offset - latest) / 7 : 0,
      Math.abs(offset - median) / 7,
      Math.abs(offset - mean) / 7,
      gapDays === null ? 0 : Math.abs(day - last - gapDays) / 7,
      Number(day - last === QUARTER_DAYS),
      Math.max(0, ...best),
      Math.max(0, ...near),
    ];
  };
}
