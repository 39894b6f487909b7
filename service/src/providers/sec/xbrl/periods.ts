import { addDays, daysBetween, type LocalDate } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';

export interface Period {
  start: LocalDate;
  end: LocalDate;
  facts: Fact[];
}

/** Days from start to end: twelve weeks are 83 days, thirteen are 90 and fourteen are 97. */
const QUARTER_DAYS = [80, 100] as const;
/**
 * Sixteen or seventeen weeks, the long quarter for companies with quarters of 12, 12, 12 and 16
 * weeks. A transition period of four calendar months has 119 days or more.
 */
const LONG_QUARTER_DAYS = [109, 118] as const;
const YEAR_DAYS = [350, 380] as const;
/**
 * Ends at most this many days apart belong to the same quarter: one filing may have mistyped the
 * date, or used the end of the month instead of the end of the week.
 */
const SAME_QUARTER_DAYS = 10;

/** Groups facts by the period they cover, never by the year and quarter of the filing. */
export function groupByPeriod(facts: readonly Fact[]): Period[] {
  const periods = new Map<string, Period>();
  for (const fact of facts) {
    if (fact.start === null) continue;
    const key = `${fact.start}/${fact.end}`;
    const period = periods.get(key);
    if (period === undefined) periods.set(key, { start: fact.start, end: fact.end, facts: [fact] });
    else period.facts.push(fact);
  }
  return [...periods.values()].toSorted((a, b) => (periodKey(a) < periodKey(b) ? -1 : 1));
}

export function isYear(period: Period): boolean {
  return isWithin(lengthOf(period), YEAR_DAYS);
}

/**
 * Returns the periods that have the length of a quarter. Long quarters are included only at the
 * start or end of a fiscal year, because a long quarter is always the first or last of its year.
 */
export function quartersOf(periods: readonly Period[]): Period[] {
  const years = periods.filter(isYear);
  const starts = new Set([
    ...years.map((year) => year.start),
    ...years.map((year) => addDays(year.end, 1)),
  ]);
  const ends = new Set(years.map((year) => year.end));
  return periods.filter((period) => {
    if (isWithin(lengthOf(period), QUARTER_DAYS)) return true;
    if (!isWithin(lengthOf(period), LONG_QUARTER_DAYS)) return false;
    return starts.has(period.start) || ends.has(period.end);
  });
}

/**
 * Returns the last quarter of a year, which is the remainder after the first three quarters, or
 * null if no period leaves a remainder with the length of a quarter. The first three quarters are
 * nine months, or 36 weeks if quarters have 12, 12, 12 and 16 weeks. If there are several
 * candidates because one of them is mistyped, the one with the most facts is used.
 */
export function lastQuarterOf(
  year: Period,
  periods: readonly Period[],
): { start: LocalDate; nineMonths: Period } | null {
  const [nineMonths] = periods.filter((period) => leavesQuarter(year, period)).toSorted(byWeight);
  return nineMonths === undefined ? null : { start: addDays(nineMonths.end, 1), nineMonths };
}

function leavesQuarter(year: Period, period: Period): boolean {
  if (period.start !== year.start || period.end >= year.end) return false;
  const days = daysBetween(period.end, year.end) - 1;
  return isWithin(days, QUARTER_DAYS) || isWithin(days, LONG_QUARTER_DAYS);
}

/**
 * Groups quarters whose ends are within ten days of each other, in ascending order. In each group
 * the period with the most facts is first, or on a tie the one filed first.
 */
export function clusterQuarters(quarters: readonly Period[]): Period[][] {
  const clusters: Period[][] = [];
  for (const quarter of quarters.toSorted((a, b) => (a.end < b.end ? -1 : 1))) {
    const first = clusters.at(-1)?.[0];
    if (first !== undefined && daysBetween(first.end, quarter.end) <= SAME_QUARTER_DAYS) {
      clusters.at(-1)?.push(quarter);
    } else clusters.push([quarter]);
  }
  return clusters.map((cluster) => cluster.toSorted(byWeight));
}

function byWeight(a: Period, b: Period): number {
  if (a.facts.length !== b.facts.length) return b.facts.length - a.facts.length;
  return firstFiled(a) < firstFiled(b) ? -1 : 1;
}

function firstFiled(period: Period): string {
  const [first = ''] = period.facts.map((fact) => fact.filedDate as string).toSorted();
  return `${first} ${periodKey(period)}`;
}

function lengthOf(period: Period): number {
  return daysBetween(period.start, period.end);
}

function isWithin(days: number, [min, max]: readonly [number, number]): boolean {
  return days >= min && days <= max;
}

/** Returns a key that is equal for equal periods and sorts by end. */
export function periodKey(period: Period): string {
  return `${period.end} ${period.start}`;
}
