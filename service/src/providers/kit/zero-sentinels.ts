import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { SourceResponse } from '../provider.ts';

type Result = Pick<CalendarObservation, 'eps' | 'revenue'>;
type Consensus = Pick<CalendarObservation, 'epsEstimate' | 'revenueEstimate'>;

/**
 * The report without the zeros that stand for "not yet" and "unknown" in some sources. `today` is
 * the New York date of the observation, null when it is not known.
 */
export function withoutZeroSentinels(
  fields: CalendarObservation,
  today: LocalDate | null,
): CalendarObservation {
  return {
    ...fields,
    ...resultWithoutSentinels(fields, today),
    ...consensusWithoutSentinels(fields),
  };
}

/** The New York date of the answer. Of one without a time nobody can say which days had not come. */
export function observationDate({ observedAt }: SourceResponse): LocalDate | null {
  return observedAt > 0 ? newYorkDate(observedAt) : null;
}

/**
 * The result. Neither figure is believed when both are zero, since a company without revenue has
 * costs, nor a zero of a day that has not come, or of today while no session is named. A zero
 * beside another figure is real.
 */
function resultWithoutSentinels(fields: CalendarObservation, today: LocalDate | null): Result {
  const { eps, revenue, date, time } = fields;
  const isToday = date === today && time === 'time-not-supplied';
  const isAhead = isToday || (today !== null && date > today);
  const isUnknown = isAhead || (eps === '0' && revenue === '0');
  const unlessSentinel = (value: Decimal | null): Decimal | null =>
    isUnknown && value === '0' ? null : value;
  return {
    ...(eps !== undefined && { eps: unlessSentinel(eps) }),
    ...(revenue !== undefined && { revenue: unlessSentinel(revenue) }),
  };
}

/** The consensus; zero for both is the same stand-in. */
function consensusWithoutSentinels({
  epsEstimate,
  revenueEstimate,
}: CalendarObservation): Consensus {
  const isUnknown = epsEstimate === '0' && revenueEstimate === '0';
  return isUnknown ? { epsEstimate: null, revenueEstimate: null } : {};
}
