import { addMonths, type LocalDate, localDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadHistories } from '../source-records/load.ts';
import { firstObservedAt, publicHistories } from '../source-records/public-time.ts';
import { deriveEconomicEvents } from './derive.ts';
import { type EconomicObservation, monthKey, monthsBetween } from './observation.ts';
import type { EconomicEvent } from './row.ts';

export interface PublicEconomicEvents {
  events: EconomicEvent[];
  /** Time of the first observation of these months; null if there is none. */
  recordedSince: Instant | null;
}

/**
 * Derives the events between two days, both inclusive, from what was public at an instant. Reads as
 * many months around them as a merge, because they may calibrate the requested ones.
 */
export async function loadPublicEconomicEvents(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant,
): Promise<PublicEconomicEvents> {
  const first = addMonths(localDate(`${monthKey(from)}-01`), -2);
  const last = addMonths(localDate(`${monthKey(to)}-01`), 2);
  const months = monthsBetween(first, last);
  const histories = await loadHistories<EconomicObservation>(db, 'economic-events', months);
  const { events } = deriveEconomicEvents(publicHistories(histories, at));
  return {
    events: events.filter(({ date }) => date >= from && date <= to),
    recordedSince: firstObservedAt(histories),
  };
}
