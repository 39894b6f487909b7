import { upperMedianOf } from '../../domain/median.ts';
import { addDays, daysBetween, type LocalDate, weekdayOf } from '../../domain/local-date.ts';
import { latest } from '../source-records/observation-history.ts';
import { monthEndOf, quarterBeforeLabel, quarterEndEstimator } from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';
import type { ReportCandidate } from './report-candidate.ts';

/** Returns the last day of the quarter with a label. */
export type PeriodEndOf = (label: string) => LocalDate;

/** A rule must give this share of the known ends, because a company may change its year. */
const FIT_MIN = 0.75;
/** With fewer known ends in a month, the ends in all months choose its rule. */
const ENDS_MIN = 2;

/** Gives the end of a quarter, from the ends of earlier ones; null if the rule does not apply. */
type EndRule = (label: string, earlier: (label: string) => LocalDate | null) => LocalDate | null;

/**
 * Returns a function that gives the end of any quarter of a company: the known end, by label, or
 * else the day that follows from the rule that fits the known ends in the same month best. A
 * quarter ends with the month, the usual number of days after the quarter before, on the last of a
 * weekday in the month, or on the weekday nearest to the end of the month. Years of 52 or 53 weeks
 * follow one of the last two rules at their end and count weeks from there. Without a fitting rule,
 * the result is an estimate. Without known ends, it is the end of the month.
 */
export function periodEndRule(knownEnds: ReadonlyMap<string, LocalDate>): PeriodEndOf {
  const ends = new Map(knownEnds);
  const first = [...knownEnds.keys()].toSorted()[0] ?? '';
  const rules = endRules(knownEnds);
  const estimate = quarterEndEstimator(knownEnds);
  const rulesByMonth = new Map<string, readonly EndRule[]>();
  const rulesOf = (month: string): readonly EndRule[] => {
    const sameMonth = [...knownEnds].filter(([label]) => label.endsWith(`-${month}`));
    return fittingRules(rules, sameMonth.length < ENDS_MIN ? [...knownEnds] : sameMonth, knownEnds);
  };
  const earlier = (label: string): LocalDate | null => (label < first ? null : endOf(label));
  const endOf = (label: string): LocalDate => {
    const known = ends.get(label);
    if (known !== undefined) return known;
    const month = label.slice(5);
    const fitting = rulesByMonth.get(month) ?? rulesOf(month);
    rulesByMonth.set(month, fitting);
    const [end = estimate(label)] = fitting.flatMap((rule) => rule(label, earlier) ?? []);
    ends.set(label, end);
    return end;
  };
  return endOf;
}

function endRules(knownEnds: ReadonlyMap<string, LocalDate>): EndRule[] {
  const newest = [...knownEnds.values()].toSorted().at(-1);
  const weekday = newest === undefined ? 0 : weekdayOf(newest);
  const gaps = usualGaps(knownEnds);
  return [
    monthEndOf,
    (label, earlier) => {
      const before = earlier(quarterBeforeLabel(label));
      const days = gaps.get(label.slice(5));
      return before === null || days === undefined ? null : addDays(before, days);
    },
    (label) => lastWeekdayBy(monthEndOf(label), weekday),
    (label) => lastWeekdayBy(addDays(monthEndOf(label), 3), weekday),
  ];
}

/** Returns the rules that give enough of the ends to which they apply, the best one first. */
function fittingRules(
  rules: readonly EndRule[],
  ends: readonly (readonly [label: string, end: LocalDate])[],
  knownEnds: ReadonlyMap<string, LocalDate>,
): EndRule[] {
  const earlier = (label: string): LocalDate | null => knownEnds.get(label) ?? null;
  return rules
    .map((rule) => {
      const hits = ends.flatMap(([label, end]) => {
        const given = rule(label, earlier);
        return given === null ? [] : [given === end];
      });
      return { rule, share: hits.filter(Boolean).length / Math.max(1, hits.length) };
    })
    .filter(({ share }) => share >= FIT_MIN)
    .toSorted((a, b) => b.share - a.share)
    .map(({ rule }) => rule);
}

/**
 * Returns the median of the days between known quarter ends, by the month of the later one. A single
 * value that differs from the other months by a week is from a year of 53 weeks, and not used.
 */
function usualGaps(knownEnds: ReadonlyMap<string, LocalDate>): Map<string, number> {
  const gaps = [...knownEnds].flatMap(([label, end]) => {
    const before = knownEnds.get(quarterBeforeLabel(label));
    return before === undefined ? [] : [{ month: label.slice(5), days: daysBetween(before, end) }];
  });
  const usual = upperMedianOf(gaps.map(({ days }) => days));
  const byMonth = Map.groupBy(gaps, ({ month }) => month);
  return new Map(
    [...byMonth].map(([month, own]) => {
      const days = upperMedianOf(own.map((each) => each.days));
      return [month, own.length === 1 && Math.abs(days - usual) === 7 ? usual : days];
    }),
  );
}

/** Returns the last day up to `date` with a weekday. */
function lastWeekdayBy(date: LocalDate, weekday: number): LocalDate {
  return addDays(date, -((weekdayOf(date) - weekday + 7) % 7));
}

/**
 * Returns the end of a report's period: as filed, as the press release or a source gives it to the day, or by the rule
 * of the company. Null if neither a source nor the fiscal calendar names the period.
 */
export function periodEndOf(
  candidate: ReportCandidate,
  isLabelFiscal: boolean,
  endOf: PeriodEndOf,
): LocalDate | null {
  if (candidate.financials !== null) return latest(candidate.financials).fields.periodEnd;
  if (candidate.release !== null) return latest(candidate.release).fields.periodEnd;
  const named = candidate.calendars
    .toSorted(byPrecedence('date'))
    .map((history) => latest(history).fields)
    .filter(({ fiscalPeriodEnd }) => fiscalPeriodEnd != null);
  const exact = named.find(({ fiscalPeriodPrecision }) => fiscalPeriodPrecision !== 'month');
  if (exact?.fiscalPeriodEnd != null) return exact.fiscalPeriodEnd;
  return named.length > 0 || isLabelFiscal ? endOf(candidate.label) : null;
}
