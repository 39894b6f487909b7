import { upperMedianOf } from '../../../domain/median.ts';
import { fromEpochDay, monthOf, yearOf } from '../../../domain/local-date.ts';
import { quarterAfter } from '../fiscal-calendar.ts';
import {
  contextOf,
  daysByLabel,
  type ReportContext,
  type ReportHistory,
} from './report-context.ts';

/** A habit by which companies choose the day of a report. */
export interface DateRule {
  name: string;
  /** Completes “The day is …” in the explanation of a projection. */
  describe: string;
  /** Returns the day, or null if the rule does not apply. */
  dayOf(context: ReportContext): number | null;
}

/** Records of a rule at one company. Recent reports count most. */
export interface RuleRecord {
  rule: DateRule;
  /** Share of reports on the rule's day. */
  hitShare: number;
  /** Share of reports at most one day from it. */
  nearShare: number;
}

/** A rule whose day is more than this far from the anchor has no day in the right season. */
const DAYS_MAX = 20;

const DATE_RULES: readonly DateRule[] = [
  {
    name: 'same-week',
    describe: 'the same weekday and week as a year ago',
    dayOf: ({ anchor }) => anchor,
  },
  {
    name: 'next-week',
    describe: 'the same weekday as a year ago, one week later in the year',
    dayOf: ({ anchor }) => anchor + 7,
  },
  {
    name: 'same-shift',
    describe: 'as many days from the same week a year ago as the last report',
    dayOf: ({ anchor, shifts: [shift] }) => (shift == null ? null : anchor + shift),
  },
  {
    name: 'anniversary',
    describe: 'as many days after the end of the quarter as a year ago',
    dayOf: ({ anchor, anniversaries: [first] }) => (first === undefined ? null : anchor + first),
  },
  {
    name: 'weekday-at-anniversary',
    describe: 'the weekday of a year ago, as long after the end of the quarter as then',
    dayOf: ({ anchor, anniversaries: [first], sameQuarter: [yearAgo] }) =>
      first === undefined || yearAgo === undefined
        ? null
        : nearestWeekday(anchor + first, weekdayOf(yearAgo)),
  },
  {
    name: 'usual-weekday',
    describe: 'the usual weekday, at the average distance from the end of the quarter',
    dayOf: (context) =>
      nearestWeekday(context.anchor + averageOffset(context), usualWeekday(context)),
  },
  {
    name: 'weeks-after-last',
    describe: 'as many weeks after the last report as a year ago',
    dayOf: ({ recent: [last], gapDays }) =>
      last === undefined || gapDays === null ? null : last + Math.round(gapDays / 7) * 7,
  },
  {
    name: 'weekday-of-month',
    describe: 'the same weekday of the month, counted from its start, as a year ago',
    dayOf: ({ anchor, sameQuarter: [yearAgo] }) =>
      yearAgo === undefined ? null : inSeason(weekdayFromStart(anchor, yearAgo), anchor),
  },
  {
    name: 'weekday-before-month-end',
    describe: 'the same weekday of the month, counted from its end, as a year ago',
    dayOf: ({ anchor, sameQuarter: [yearAgo] }) =>
      yearAgo === undefined ? null : inSeason(weekdayFromEnd(anchor, yearAgo), anchor),
  },
  {
    name: 'last-lag',
    describe: 'the weekday of the last report, as long after the end of the quarter as then',
    dayOf: ({ anchor, end, lags: [lag], recent: [last] }) =>
      lag === undefined || last === undefined
        ? null
        : inSeason(nearestWeekday(end + lag, weekdayOf(last)), anchor),
  },
  {
    name: 'median-anniversary',
    describe: 'the weekday of a year ago, at the median distance from the end of the quarter',
    dayOf: ({ anchor, anniversaries, sameQuarter: [yearAgo] }) =>
      yearAgo === undefined
        ? null
        : nearestWeekday(anchor + upperMedianOf(anniversaries), weekdayOf(yearAgo)),
  },
  {
    name: 'two-years',
    describe: 'the same weekday and week as two years ago',
    dayOf: ({ sameQuarter: [, twoYearsAgo] }) =>
      twoYearsAgo === undefined ? null : twoYearsAgo + 2 * 364,
  },
];

/** Older reports have no weight to speak of. */
const REPORTS_MAX = 40;
/** Weight of an older report relative to the next one. */
const DECAY = 0.9;
/** Record of a rule at a company without reports; `weight` is the number of reports it counts as. */
const PRIOR = { weight: 2, hitShare: 0.35, nearShare: 0.5 };

/** Returns the rules' records over the history: each rule is applied to each report before it. */
export function ruleRecords(history: ReportHistory): RuleRecord[] {
  const tallies = DATE_RULES.map((rule) => ({
    rule,
    reports: PRIOR.weight,
    hits: PRIOR.weight * PRIOR.hitShare,
    near: PRIOR.weight * PRIOR.nearShare,
  }));
  const dayOf = daysByLabel(history.reports);
  const first = Math.max(0, history.reports.length - REPORTS_MAX);
  for (const [index, { label }] of history.reports.entries()) {
    if (index < first) continue;
    const previous = history.reports[index - 1];
    if (previous === undefined || quarterAfter(previous.label) !== label) continue;
    const context = contextOf(label, history, index, dayOf);
    const day = dayOf.get(label);
    if (context === null || day === undefined) continue;
    for (const tally of tallies) {
      const predicted = tally.rule.dayOf(context);
      if (predicted === null) continue;
      tally.reports = tally.reports * DECAY + 1;
      tally.hits = tally.hits * DECAY + Number(predicted === day);
      tally.near = tally.near * DECAY + Number(Math.abs(predicted - day) <= 1);
    }
  }
  return tallies.map(({ rule, reports, hits, near }) => ({
    rule,
    hitShare: hits / reports,
    nearShare: near / reports,
  }));
}

/** Weights of the same quarter's reports, newest first, when their weekdays are counted. */
const SAME_QUARTER_WEIGHTS = [1.2, 0.7, 0.5, 0.3, 0.2] as const;
const RECENT_WEIGHT = 0.3;
const WEEKDAY_PRIOR = 0.3;

/** Returns the share of each weekday, Sunday first, in the reports that count. */
export function weekdayShares({ sameQuarter, recent }: ReportContext): number[] {
  const weights = Array.from({ length: 7 }, () => WEEKDAY_PRIOR);
  const add = (day: number, weight: number): void => {
    const weekday = weekdayOf(day);
    weights[weekday] = (weights[weekday] ?? 0) + weight;
  };
  for (const [index, weight] of SAME_QUARTER_WEIGHTS.entries()) {
    const day = sameQuarter[index];
    if (day !== undefined) add(day, weight);
  }
  for (const day of recent) add(day, RECENT_WEIGHT);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function usualWeekday(context: ReportContext): number {
  const shares = weekdayShares(context);
  return shares.indexOf(Math.max(...shares));
}

function averageOffset({ anniversaries }: ReportContext): number {
  const newest = anniversaries.slice(0, 5);
  return Math.round(newest.reduce((sum, offset) => sum + offset, 0) / newest.length);
}

/** Returns the weekday of an epoch day, from 0 (Sunday) to 6 (Saturday). */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Returns the day with a weekday that is at most three days away. */
function nearestWeekday(day: number, weekday: number): number {
  return day + ((weekday - weekdayOf(day) + 10) % 7) - 3;
}

function inSeason(day: number, anchor: number): number | null {
  return Math.abs(day - anchor) < DAYS_MAX ? day : null;
}

function weekdayFromStart(anchor: number, yearAgo: number): number {
  const first = monthStart(anchor, yearAgo, 0);
  const week = Math.floor((yearAgo - monthStart(yearAgo, yearAgo, 0)) / 7);
  return first + ((weekdayOf(yearAgo) - weekdayOf(first) + 7) % 7) + 7 * week;
}

function weekdayFromEnd(anchor: number, yearAgo: number): number {
  const last = monthStart(anchor, yearAgo, 1) - 1;
  const week = Math.floor((monthStart(yearAgo, yearAgo, 1) - 1 - yearAgo) / 7);
  return last - ((weekdayOf(last) - weekdayOf(yearAgo) + 7) % 7) - 7 * week;
}

/** Returns the first day of the month of `monthDay`, or of a later month, in the year of `yearDay`. */
function monthStart(yearDay: number, monthDay: number, months: number): number {
  const year = yearOf(fromEpochDay(yearDay));
  return Date.UTC(year, monthOf(fromEpochDay(monthDay)) - 1 + months, 1) / 86_400_000;
}
