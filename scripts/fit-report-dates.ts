// Fits the weights in service/src/datasets/earnings/projection/weights.ts. The recordings must
// include the table of report days.
//
//   AFTERBELL_RECORDINGS=FOLDER node scripts/fit-report-dates.ts
//
// Prints weights fitted to reports before 2009, and the errors of the committed weights before and
// since. Companies with recorded filings are left out, because the tests measure the error with them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { marketCalendar } from '../service/src/domain/market/calendar.ts';
import {
  addDays,
  daysBetween,
  fromEpochDay,
  type LocalDate,
  monthOf,
  parseLocalDate,
} from '../service/src/domain/local-date.ts';
import { monthEndOf, quarterAfter } from '../service/src/datasets/earnings/fiscal-calendar.ts';
import { ruleRecords } from '../service/src/datasets/earnings/projection/date-rules.ts';
import {
  candidateDays,
  dayDistribution,
  predictDay,
} from '../service/src/datasets/earnings/projection/day-distribution.ts';
import { FEATURES } from '../service/src/datasets/earnings/projection/day-features.ts';
import {
  contextOf,
  daysByLabel,
  type PastReport,
} from '../service/src/datasets/earnings/projection/report-context.ts';
import {
  projectionErrors,
  type ProjectionOutcome,
} from '../service/test/support/projection-errors.ts';

/** A report with the days on which it could have come. */
interface Choice {
  outcome: ProjectionOutcome;
  days: { date: LocalDate; features: number[] }[];
  /** Index of the actual day; -1 if it is none of these days. */
  chosen: number;
}

const TABLE = 'datasets/earnings-eps-1993-2023/body.gz';
const LEFT_OUT = new Set(['AAPL', 'COST', 'EXPE', 'KO', 'MSFT', 'NVDA', 'WMT']);
const FIT_BEFORE = '2009-01-01';
/** The last rows are announcements. */
const REPORTED_BEFORE = '2024-09-01';
const REPORTS_MIN = 8;
const QUARTER_DAYS = 91.3;
const SAME_REPORT_DAYS_MAX = 45;
/** Few companies report sooner after the end of a quarter. */
const LAG_DAYS_MIN = 12;
const RIDGE = 3;
const IMPROVEMENT_MIN = 0.01;
const market = marketCalendar();

const choices = [...loadDates().values()].flatMap((dates) => choicesOf(toReports(dates)));
const early = choices.filter(({ outcome }) => outcome.actual < FIT_BEFORE);
const late = choices.filter(({ outcome }) => outcome.actual >= FIT_BEFORE);
const weights = fit(early.filter(({ chosen }) => chosen >= 0));
for (const [index, name] of FEATURES.entries()) {
  console.log(`${(weights[index] ?? 0).toFixed(3).padStart(7)}  ${name}`);
}
for (const [name, part] of Object.entries({ fitted: early, since: late })) {
  console.log(name, JSON.stringify(projectionErrors(part.map(({ outcome }) => outcome))));
}

/** Returns the report days of the U.S. companies by symbol. */
function loadDates(): Map<string, LocalDate[]> {
  const path = join(process.env['AFTERBELL_RECORDINGS'] ?? '', TABLE);
  const csv = gunzipSync(readFileSync(path)).toString();
  const bySymbol = new Map<string, Set<LocalDate>>();
  for (const line of csv.split('\n').slice(1)) {
    const [text = '', , , , symbol = '', country] = line.split(',');
    const date = parseLocalDate(text);
    if (country !== 'USA' || date === null || date >= REPORTED_BEFORE) continue;
    if (LEFT_OUT.has(symbol) || !market.isTradingDay(date)) continue;
    bySymbol.set(symbol, (bySymbol.get(symbol) ?? new Set()).add(date));
  }
  return new Map([...bySymbol].map(([symbol, dates]) => [symbol, [...dates].toSorted()]));
}

/** Numbers the quarters by the days between reports, because the table has no periods. */
function toReports(dates: readonly LocalDate[]): PastReport[] {
  const reports: PastReport[] = [];
  const phase = quarterPhase(dates);
  for (const date of dates) {
    const previous = reports.at(-1);
    const days = previous === undefined ? QUARTER_DAYS : daysBetween(previous.date, date);
    if (days < SAME_REPORT_DAYS_MAX) continue;
    let label = previous?.label ?? labelBefore(date, phase);
    const quarters = previous === undefined ? 0 : Math.round(days / QUARTER_DAYS);
    for (let count = 0; count < quarters; count++) label = quarterAfter(label);
    reports.push({ label, date, time: 'time-not-supplied' });
  }
  return reports;
}

/** Returns the month, modulo 3, before most of the reports. */
function quarterPhase(dates: readonly LocalDate[]): number {
  const phases = dates.map((date) => monthOf(endedMonth(date)) % 3);
  const counts = [0, 1, 2].map((phase) => phases.filter((each) => each === phase).length);
  return counts.indexOf(Math.max(...counts));
}

/** Returns the newest month with a phase that had ended when a company reported. */
function labelBefore(date: LocalDate, phase: number): string {
  let month = endedMonth(date);
  while (monthOf(month) % 3 !== phase) month = lastMonth(month);
  return month.slice(0, 7);
}

/** Returns a day in the newest month whose results a company can report on a date. */
function endedMonth(date: LocalDate): LocalDate {
  return lastMonth(addDays(date, -LAG_DAYS_MIN));
}

/** Returns the last day of the month before. */
function lastMonth(date: LocalDate): LocalDate {
  return addDays(date, -Number(date.slice(8)));
}

function choicesOf(reports: readonly PastReport[]): Choice[] {
  const dayOf = daysByLabel(reports);
  return reports.flatMap(({ label, date: actual }, index): Choice[] => {
    const previous = reports[index - 1];
    if (index < REPORTS_MIN || previous === undefined) return [];
    if (quarterAfter(previous.label) !== label) return [];
    const history = { reports: reports.slice(0, index), endOf: monthEndOf };
    const context = contextOf(label, history, index, dayOf);
    if (context === null) return [];
    const records = ruleRecords(history);
    const predicted = predictDay(dayDistribution(context, records, market));
    if (predicted === null) return [];
    const days = candidateDays(context, records, market);
    const outcome = { actual, naive: fromEpochDay(context.anchor), predicted };
    return [{ outcome, days, chosen: days.findIndex(({ date }) => date === actual) }];
  });
}

/** Values of the penalized log likelihood at some weights, with its derivatives. */
interface Likelihood {
  value: number;
  gradient: number[];
  /** Negative second derivatives. */
  curvature: number[][];
}

/** Fits a multinomial logit by Newton's method. A step that does not improve the fit is halved. */
function fit(data: readonly Choice[]): number[] {
  let fitted: number[] = FEATURES.map(() => 0);
  let current = likelihoodOf(data, fitted);
  let step = newtonStep(current);
  for (;;) {
    const next = fitted.map((weight, index) => weight + (step[index] ?? 0));
    const likelihood = likelihoodOf(data, next);
    if (Math.abs(likelihood.value - current.value) < IMPROVEMENT_MIN) return next;
    if (likelihood.value > current.value) {
      fitted = next;
      current = likelihood;
      step = newtonStep(current);
    } else {
      step = step.map((part) => part / 2);
    }
  }
}

function likelihoodOf(data: readonly Choice[], weights: readonly number[]): Likelihood {
  const likelihood: Likelihood = {
    value: -RIDGE * weights.reduce((sum, weight) => sum + weight ** 2, 0),
    gradient: weights.map((weight) => -2 * RIDGE * weight),
    curvature: weights.map((_, row) =>
      weights.map((__, column) => (row === column ? 2 * RIDGE : 0)),
    ),
  };
  for (const choice of data) addChoice(choice, weights, likelihood);
  return likelihood;
}

function addChoice(
  { days, chosen }: Choice,
  weights: readonly number[],
  likelihood: Likelihood,
): void {
  const { gradient, curvature } = likelihood;
  const scores = days.map(({ features }) =>
    features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0),
  );
  const highest = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - highest));
  const total = parts.reduce((sum, part) => sum + part, 0);
  const mean = gradient.map(() => 0);
  for (const [index, { features }] of days.entries()) {
    const share = (parts[index] ?? 0) / total;
    if (index === chosen) likelihood.value += Math.log(share);
    for (const [row, value] of features.entries()) {
      if (value !== 0) addScaled(curvature[row] ?? [], features, share * value);
    }
    addScaled(mean, features, share);
  }
  addScaled(gradient, days[chosen]?.features ?? [], 1);
  addScaled(gradient, mean, -1);
  for (const [row, value] of mean.entries()) addScaled(curvature[row] ?? [], mean, -value);
}

function addScaled(target: number[], values: readonly number[], factor: number): void {
  for (const [index, value] of values.entries()) {
    target[index] = (target[index] ?? 0) + value * factor;
  }
}

/** Solves the system of linear equations by elimination. */
function newtonStep({ curvature, gradient }: Likelihood): number[] {
  const rows = curvature.map((row, index) => [...row, gradient[index] ?? 0]);
  for (const [pivot, source] of rows.entries()) {
    for (const [index, row] of rows.entries()) {
      if (index !== pivot) addScaled(row, source, -(row[pivot] ?? 0) / (source[pivot] ?? 1));
    }
  }
  return rows.map((row, index) => (row.at(-1) ?? 0) / (row[index] ?? 1));
}
