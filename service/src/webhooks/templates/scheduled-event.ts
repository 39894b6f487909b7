import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';

const SETTLED_AFTER_DAYS = 10;
const DAY_MS = 86_400_000;

/**
 * Returns the event that represents a company's schedule: the earliest event that is not settled
 * or, if all are settled, the latest. Results are therefore sent before the next quarter replaces
 * them. A projected day is not announced, so it is left out until a source names the day. Returns
 * null if there are no events.
 */
export function pickScheduledEvent(
  events: readonly EarningsEvent[],
  now: Instant,
): EarningsEvent | null {
  const announced = events.filter(({ projection }) => projection === null);
  const byDate = announced.toSorted(
    (a, b) => compareText(a.date, b.date) || compareText(a.id, b.id),
  );
  return byDate.find((event) => now < settlesAt(event)) ?? byDate.at(-1) ?? null;
}

/**
 * Returns the time at which an event settles. This is ten days after its date or, if earlier, the
 * first New York midnight at least a day after the current values of both EPS and revenue became
 * known.
 */
function settlesAt(event: EarningsEvent): Instant {
  const latest = newYorkInstant(addDays(event.date, SETTLED_AFTER_DAYS), 0);
  const { eps, revenue } = event.provenance;
  const isReported = event.eps !== null && event.revenue !== null;
  if (!isReported || eps === undefined || revenue === undefined) return latest;
  return Math.min(latest, midnightFrom(Math.max(eps.seenAt, revenue.seenAt) + DAY_MS));
}

/** Returns the first New York midnight at or after an instant. */
function midnightFrom(at: Instant): Instant {
  if (newYorkTimeOfDayMs(at) === 0) return at;
  return newYorkInstant(addDays(newYorkDate(at), 1), 0);
}
