import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { StatedRelease } from './compare-releases.ts';
import { eventOfId } from './event-id.ts';

/** A due release of a well-known event. */
export interface AwaitedFigure {
  /** Stem of the event (`us-cpi-yoy`), also for an estimate of a quarter. */
  stem: string;
  /** New York day of the release. */
  date: LocalDate;
  /** Provider of its figure, or null if it has none yet. */
  provider: string | null;
}

/**
 * Loads the releases of well-known events between two New York days, both inclusive, whose time has
 * come.
 */
export async function loadDueReleases(
  db: Queryable,
  { from, to, now }: { from: LocalDate; to: LocalDate; now: Instant },
): Promise<AwaitedFigure[]> {
  // Returns one row per U.S. event of the days. Uses index economic_event_by_date.
  const rows = await db.query<{ id: string; date: LocalDate; provider: string | null }>(
    `select id, date, provenance -> 'actual' ->> 'provider' as provider
       from economic_event
      where known_to is null and date between $1 and $2 and country_code = 'US'
        and (scheduled_at is null or scheduled_at <= to_timestamp($3 / 1000.0))
      order by date, id`,
    [from, to, now],
  );
  return rows.flatMap(({ id, date, provider }) => {
    const stem = eventOfId(id)?.wellKnown.stem;
    return stem === undefined ? [] : [{ stem, date, provider }];
  });
}

/** Loads the days of the releases of well-known events in a range of days, both inclusive. */
export async function loadReleaseDays(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
): Promise<StatedRelease[]> {
  // Returns one row per U.S. event of the days. Uses index economic_event_by_date.
  const rows = await db.query<{ id: string; date: LocalDate }>(
    `select id, date from economic_event
      where known_to is null and date between $1 and $2 and country_code = 'US'`,
    [from, to],
  );
  return rows.flatMap(({ id, date }) => {
    const stem = eventOfId(id)?.wellKnown.stem;
    return stem === undefined ? [] : [{ stem, date }];
  });
}
