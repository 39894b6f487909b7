import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { WELL_KNOWN_EVENTS } from './well-known-events.ts';

/** A due release of a well-known event. */
export interface AwaitedFigure {
  /** Stem of the event (`us-cpi-yoy`), also for an estimate of a quarter. */
  stem: string;
  /** New York day of the release. */
  date: LocalDate;
  /** Provider of its figure, or null if it has none yet. */
  provider: string | null;
}

const STEMS: ReadonlySet<string> = new Set(WELL_KNOWN_EVENTS.map(({ stem }) => stem));

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
    const stem = stemOf(id);
    return stem === null ? [] : [{ stem, date, provider }];
  });
}

/** Returns the stem of a well-known event's id; null for any other event. */
function stemOf(id: string): string | null {
  const [prefix = ''] = id.split(':');
  if (STEMS.has(prefix)) return prefix;
  // An estimate of a quarter or a month: `us-gdp-qoq-advance`.
  const stem = prefix.slice(0, Math.max(0, prefix.lastIndexOf('-')));
  return STEMS.has(stem) ? stem : null;
}
