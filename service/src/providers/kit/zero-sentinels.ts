import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { SourceResponse } from '../provider.ts';

type Result = Pick<CalendarObservation, 'eps' | 'revenue'>;
type Consensus = Pick<CalendarObservation, 'epsEstimate' | 'revenueEstimate'>;

/**
 * The report without zeros that mean "not yet" or "unknown". `today` is the New York date of the
 * observation, null if unknown.
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

/**
 * The New York date of the response; null without a time, since future dates are unknown then.
 */
export function observationDate({ observedAt }: SourceResponse): LocalDate | null {
  return observedAt > 0 ? newYorkDate(observedAt) : null;
}

/**
 * The result without sentinel zeros. Both figures are ignored if both are zero, since a company
 * without revenue has costs. A zero is also ignored on a future date, or today if no session is
 * known. A zero next to a non-zero figure is real.
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

/** The consensus; zero for both figures means "unknown". */
function consensusWithoutSentinels({
  epsEstimate,
  revenueEstimate,
}: CalendarObservation): Consensus {
  const isUnknown = epsEstimate === '0' && revenueEstimate === '0';
  return isUnknown ? { epsEstimate: null, revenueEstimate: null } : {};
}
