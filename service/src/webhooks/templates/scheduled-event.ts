import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';

const SETTLED_AFTER_DAYS = 10;
const DAY_MS = 86_400_000;

/**
 * The event that represents a company's schedule: the earliest one that is not settled, or else the
 * latest. Results are thus sent before the next quarter replaces them. Null without events.
 */
export function pickScheduledEvent(
  events: readonly EarningsEvent[],
  now: Instant,
): EarningsEvent | null {
  const byDate = events.toSorted((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  return byDate.find((event) => now < settlesAt(event)) ?? byDate.at(-1) ?? null;
}

/**
 * An event settles ten days after its date, or earlier: at the first New York midnight that is at
 * least a day after the current EPS and revenue were both known.
 */
function settlesAt(event: EarningsEvent): Instant {
  const latest = newYorkInstant(addDays(event.date, SETTLED_AFTER_DAYS), 0);
  const { eps, revenue } = event.provenance;
  const isReported = event.eps !== null && event.revenue !== null;
  if (!isReported || eps === undefined || revenue === undefined) return latest;
  return Math.min(latest, midnightFrom(Math.max(eps.seenAt, revenue.seenAt) + DAY_MS));
}

/** The first New York midnight at or after an instant. */
function midnightFrom(at: Instant): Instant {
  if (newYorkTimeOfDayMs(at) === 0) return at;
  return newYorkInstant(addDays(newYorkDate(at), 1), 0);
}
