import { addDays, type LocalDate, weekdayOf } from '../../domain/local-date.ts';
import { latest } from '../source-records/observation-history.ts';
import { monthEndOf, quarterEndEstimator } from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';
import type { ReportCandidate } from './report-candidate.ts';

/** Returns the last day of the quarter with a label. */
export type PeriodEndOf = (label: string) => LocalDate;

/** A rule must give this share of the known ends, because a company may change its year. */
const FIT_MIN = 0.9;

/**
 * Returns a function that gives the end of any quarter of a company: the known end, by label, or
 * else the day that follows from the rule behind the known ends. The fiscal year ends with a month,
 * on the last of a weekday in the month, or on the weekday nearest to the end of the month. Without
 * a fitting rule, for example with quarters of twelve weeks, the result is an estimate. Without
 * known ends, it is the end of the month.
 */
export function periodEndRule(knownEnds: ReadonlyMap<string, LocalDate>): PeriodEndOf {
  const newest = [...knownEnds.values()].toSorted().at(-1);
  const weekday = newest === undefined ? 0 : weekdayOf(newest);
  const rules: readonly PeriodEndOf[] = [
    monthEndOf,
    (label) => lastWeekdayBy(monthEndOf(label), weekday),
    (label) => lastWeekdayBy(addDays(monthEndOf(label), 3), weekday),
  ];
  const fits = rules.map((rule) => ({ rule, hits: countHits(rule, knownEnds) }));
  const best = fits.toSorted((a, b) => b.hits - a.hits)[0];
  const isFitting = best !== undefined && best.hits >= knownEnds.size * FIT_MIN;
  const rule = isFitting ? best.rule : quarterEndEstimator(knownEnds);
  return (label) => knownEnds.get(label) ?? rule(label);
}

function countHits(rule: PeriodEndOf, knownEnds: ReadonlyMap<string, LocalDate>): number {
  return [...knownEnds].filter(([label, end]) => rule(label) === end).length;
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
