import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';

/** The next moment at which the New York date changes: what is "today" holds until then. */
export function nextNewYorkMidnight(now: Instant): Instant {
  return newYorkInstant(addDays(newYorkDate(now), 1), 0);
}
