import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { SourceResponse } from '../provider.ts';

type Result = Pick<CalendarObservation, 'eps' | 'revenue'>;
type Consensus = Pick<CalendarObservation, 'epsEstimate' | 'revenueEstimate'>;

/**
 * Returns the report without zeros that mean "not yet" or "unknown". `today` is the New York date
 * of the observation, or null if unknown.
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
 * Returns the New York date on which the response was observed, or null if that time is unknown.
 * Without it, no date can be recognized as being in the future.
 */
export function observationDate({ observedAt }: SourceResponse): LocalDate | null {
  return observedAt > 0 ? newYorkDate(observedAt) : null;
}

/**
 * Returns the result without sentinel zeros. If both figures are zero, both are ignored, since even
 * a company without revenue has costs and thus a loss. A zero is also ignored on a future date, or
 * today if no session is known. A zero next to a non-zero figure is real.
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

/** Returns the consensus. If both figures are zero, they mean "unknown". */
function consensusWithoutSentinels({
  epsEstimate,
  revenueEstimate,
}: CalendarObservation): Consensus {
  const isUnknown = epsEstimate === '0' && revenueEstimate === '0';
  return isUnknown ? { epsEstimate: null, revenueEstimate: null } : {};
}
