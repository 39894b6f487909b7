import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';

/** Returns the next midnight in New York, when "today" becomes another day. */
export function nextNewYorkMidnight(now: Instant): Instant {
  return newYorkInstant(addDays(newYorkDate(now), 1), 0);
}
