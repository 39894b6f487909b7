import { upperMedianOf } from '../../../domain/median.ts';
import { type RuleRecord, weekdayOf, weekdayShares } from './date-rules.ts';
import type { ReportContext } from './report-context.ts';

/**
 * Names of the features of a candidate day, in the order of the values and of the weights. Distances
 * are in weeks. A lag is the number of days from the end of the quarter to the report.
 */
export const FEATURES = [
  'best record of a rule with this day',
  'best record of a rule near this day',
  'weekday share, logarithm',
  'weekday share, logarithm, if the weekday of a year ago is usual',
  'weekday of the last report',
  'Monday',
  'Friday',
  'days from the anniversary beyond four',
  'before the earliest anniversary',
  'distance from the median anniversary',
  'distance from the anniversary of two years ago, squared',
  'distance from the shift of the last report, squared',
  'distance from the mean shift',
  'distance from the lag of the last report',
  'distance from the lag of the last report but one',
  'distance from the lag of the last report, up to three days',
  'distance from the lag of the last report but one, up to three days',
  'distance from the lag of the last report but two, up to three days',
] as const;

/** Number of years whose anniversaries bound the season. */
const SEASON_YEARS_MIN = 4;
const SQUARED_DAYS_MAX = 15;
const LAG_DAYS_MAX = 3;
/** Reports of the same quarter whose weekdays show whether the one of a year ago is usual. */
const WEEKDAY_YEARS = 4;

/** Returns a function that gives the features of a day. */
export function featuresOf(
  context: ReportContext,
  records: readonly RuleRecord[],
): (day: number) => number[] {
  const { anchor, anniversaries, recent, shifts, end, lags } = context;
  const shares = weekdayShares(context);
  const constancy = weekdayConstancy(context);
  const sorted = anniversaries.toSorted((a, b) => a - b);
  const hasSeason = sorted.length >= SEASON_YEARS_MIN;
  const earliest = sorted[0] ?? 0;
  const median = upperMedianOf(sorted);
  const meanShift = shifts.reduce<number>((sum, shift) => sum + (shift ?? 0), 0) / 3;
  const [last = anchor] = recent;
  const ruled = records.flatMap(({ rule, hitShare, nearShare }) => {
    const day = rule.dayOf(context);
    return day === null ? [] : [{ day, hitShare, nearShare }];
  });
  return (day) => {
    const offset = day - anchor;
    const weekday = weekdayOf(day);
    const share = Math.log(shares[weekday] ?? 1);
    const best = ruled.filter((each) => each.day === day).map(({ hitShare }) => hitShare);
    const near = ruled
      .filter((each) => Math.abs(each.day - day) === 1)
      .map(({ hitShare, nearShare }) => nearShare - hitShare);
    const lagDays = lags.map((lag) => Math.abs(day - end - lag));
    const nearLag = (index: number): number => Math.min(lagDays[index] ?? 0, LAG_DAYS_MAX) / 7;
    return [
      Math.max(0, ...best),
      Math.max(0, ...near),
      share,
      share * constancy,
      Number(weekday === weekdayOf(last)),
      Number(weekday === 1),
      Number(weekday === 5),
      Math.max(0, Math.abs(offset - (anniversaries[0] ?? 0)) - 4) / 7,
      hasSeason ? Math.max(0, earliest - offset) / 7 : 0,
      Math.abs(offset - median) / 7,
      squaredWeeks(offset, anniversaries[1]),
      squaredWeeks(offset, shifts[0]),
      Math.abs(offset - meanShift) / 7,
      (lagDays[0] ?? 0) / 7,
      (lagDays[1] ?? 0) / 7,
      nearLag(0),
      nearLag(1),
      nearLag(2),
    ];
  };
}

/** Returns 0 if there is no day to compare with. */
function squaredWeeks(offset: number, from: number | null | undefined): number {
  return from == null ? 0 : (Math.min(Math.abs(offset - from), SQUARED_DAYS_MAX) / 7) ** 2;
}

/** Returns the share of the same quarter's last reports that had the weekday of a year ago. */
function weekdayConstancy({ sameQuarter }: ReportContext): number {
  const weekdays = sameQuarter.slice(0, WEEKDAY_YEARS).map(weekdayOf);
  return weekdays.filter((weekday) => weekday === weekdays[0]).length / weekdays.length;
}
