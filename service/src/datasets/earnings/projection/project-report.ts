import { type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import type { MarketCalendar } from '../../../domain/market/calendar.ts';
import { quarterAfter } from '../fiscal-calendar.ts';
import { type RuleRecord, ruleRecords } from './date-rules.ts';
import {
  type CandidateDay,
  type DateInterval,
  dayDistribution,
  predictDay,
  type PredictedDay,
} from './day-distribution.ts';
import { predictSession, type PredictedSession } from './predict-session.ts';
import {
  contextOf,
  daysByLabel,
  type ReportContext,
  type ReportHistory,
} from './report-context.ts';

/** A report that is expected from a company's past reports. */
export interface ProjectedReport {
  /** Label of the quarter, `YYYY-MM`. */
  label: string;
  date: LocalDate;
  interval50: DateInterval;
  interval80: DateInterval;
  session: PredictedSession;
  /** Explains the day in a sentence. */
  basis: string;
  /** Last day that passed without the report, so that this projection took the place of another. */
  passedDay: LocalDate | null;
}

/** Quarters ahead of the last report, as many as the API lists. */
const QUARTERS_MAX = 4;
/** Two years. The error is measured for companies with at least as many reports. */
const REPORTS_MIN = 8;
/** If the days left have less probability, the report is so late that habits do not tell its day. */
const LATE_PROBABILITY_MIN = 0.05;

/**
 * Returns the next report after the quarter `lastLabel`, as projected on a given day; null if the
 * past reports do not show when it will come. A likeliest day that is over is replaced by the
 * likeliest day after it, and a quarter that is too late by the next one. The result depends on
 * `today` through these steps alone, so it does not matter on which day before its own it is made.
 */
export function projectReport(
  { lastLabel, ...history }: ReportHistory & { lastLabel: string },
  today: LocalDate,
  market: MarketCalendar,
): ProjectedReport | null {
  const { reports } = history;
  if (reports.length < REPORTS_MIN) return null;
  let label = lastLabel;
  let passedDay: LocalDate | null = null;
  const dayOf = daysByLabel(reports);
  const records = ruleRecords(history);
  for (let ahead = 0; ahead < QUARTERS_MAX; ahead++) {
    label = quarterAfter(label);
    const context = contextOf(label, history, reports.length, dayOf);
    if (context === null) continue;
    const days = dayDistribution(context, records, market);
    const { day, passed } = nextDay(days, today);
    passedDay = passed ?? passedDay;
    if (day === null) continue;
    const session = predictSession(reports);
    const basis = basisOf(day.date, context, records, reports.length);
    return { label, ...day, session, basis, passedDay };
  }
  return null;
}

/**
 * Returns the likeliest day, or the likeliest of the days after it if it is over. Null if the report
 * was unlikely to come so late. `passed` is the last of these days that is over.
 */
function nextDay(
  days: readonly CandidateDay[],
  today: LocalDate,
): { day: PredictedDay | null; passed: LocalDate | null } {
  let passed: LocalDate | null = null;
  let day = predictDay(days);
  while (day !== null && day.date < today) {
    const over = day.date;
    passed = over;
    const later = days.filter(({ date }) => date > over);
    const probability = later.reduce((sum, each) => sum + each.probability, 0);
    day = probability < LATE_PROBABILITY_MIN ? null : predictDay(later);
  }
  return { day, passed };
}

/** Names the rule with the best record among those that give the day. */
function basisOf(
  date: LocalDate,
  context: ReportContext,
  records: readonly RuleRecord[],
  reports: number,
): string {
  const from = `${reports} past reports`;
  const day = toEpochDay(date);
  const [best] = records
    .filter(({ rule }) => rule.dayOf(context) === day)
    .toSorted((a, b) => b.hitShare - a.hitShare);
  if (best === undefined) return `From ${from}, between the days that their habits give.`;
  const share = Math.round(best.hitShare * 100);
  return `From ${from}: ${best.rule.describe}, which held for ${share} % of recent reports.`;
}
