import { fromEpochDay, type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import type { MarketCalendar } from '../../../domain/market/calendar.ts';
import type { RuleRecord } from './date-rules.ts';
import { featuresOf } from './day-features.ts';
import type { ReportContext } from './report-context.ts';
import { FEATURE_WEIGHTS, INTERVAL_MASS } from './weights.ts';

/** A day on which a report may come, with its probability. */
export interface CandidateDay {
  date: LocalDate;
  probability: number;
}

/** Both days inclusive. */
export interface DateInterval {
  from: LocalDate;
  to: LocalDate;
}

/** The most likely day with the intervals around it. */
export interface PredictedDay {
  date: LocalDate;
  interval50: DateInterval;
  interval80: DateInterval;
}

/** Days on either side of the same week a year ago on which the report may come. */
const CANDIDATE_DAYS = 21;
/** Share of the probability that is spread evenly, because no habit is certain. */
const EVEN_SHARE = 0.03;

/** Returns the trading days on which a report may come, in order, with their features. */
export function candidateDays(
  context: ReportContext,
  records: readonly RuleRecord[],
  market: MarketCalendar,
): { date: LocalDate; features: number[] }[] {
  const featuresAt = featuresOf(context, records);
  const [last = context.anchor - CANDIDATE_DAYS - 1] = context.recent;
  return Array.from({ length: 2 * CANDIDATE_DAYS + 1 }, (_, index) => {
    const day = context.anchor - CANDIDATE_DAYS + index;
    return { day, date: fromEpochDay(day) };
  })
    .filter(({ day, date }) => day > last && market.isTradingDay(date))
    .map(({ day, date }) => ({ date, features: featuresAt(day) }));
}

/**
 * Returns the distribution of the day of a report: a multinomial logit over the trading days around
 * the same week a year ago.
 */
export function dayDistribution(
  context: ReportContext,
  records: readonly RuleRecord[],
  market: MarketCalendar,
): CandidateDay[] {
  const candidates = candidateDays(context, records, market);
  const scores = candidates.map(({ features }) =>
    features.reduce((sum, value, index) => sum + value * (FEATURE_WEIGHTS[index] ?? 0), 0),
  );
  const highest = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - highest));
  const total = parts.reduce((sum, part) => sum + part, 0);
  const even = EVEN_SHARE / candidates.length;
  return candidates.map(({ date }, index) => ({
    date,
    probability: ((parts[index] ?? 0) / total) * (1 - EVEN_SHARE) + even,
  }));
}

/**
 * Returns the best day and its intervals; null without days. The best day is the one with the
 * highest probability to be right plus probability to be right within a day. An interval grows from
 * it to the likelier side, so the intervals contain each other.
 */
export function predictDay(days: readonly CandidateDay[]): PredictedDay | null {
  const total = days.reduce((sum, { probability }) => sum + probability, 0);
  const probabilityOn = new Map(days.map((day) => [toEpochDay(day.date), day.probability]));
  const scores = [...probabilityOn].map(
    ([day, probability]) =>
      2 * probability + (probabilityOn.get(day - 1) ?? 0) + (probabilityOn.get(day + 1) ?? 0),
  );
  const point = scores.indexOf(Math.max(...scores));
  const date = days[point]?.date;
  if (date === undefined) return null;
  return {
    date,
    interval50: intervalAround(days, point, total * INTERVAL_MASS[50]),
    interval80: intervalAround(days, point, total * INTERVAL_MASS[80]),
  };
}

function intervalAround(days: readonly CandidateDay[], point: number, mass: number): DateInterval {
  const probabilityAt = (index: number): number => days[index]?.probability ?? -1;
  let first = point;
  let last = point;
  let covered = probabilityAt(point);
  while (covered < mass && (first > 0 || last < days.length - 1)) {
    const isLater = probabilityAt(last + 1) >= probabilityAt(first - 1);
    covered += isLater ? probabilityAt(++last) : probabilityAt(--first);
  }
  const [from, to] = [days[first]?.date, days[last]?.date];
  if (from === undefined || to === undefined) throw new RangeError('an interval without days');
  return { from, to };
}
