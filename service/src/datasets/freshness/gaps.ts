import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * Returns the days for which these feeds have had no successful response since `since`. Only useful
 * for feeds whose URLs contain the day.
 */
export async function daysWithoutResponse(
  db: Queryable,
  feeds: readonly { provider: string; feed: string }[],
  days: readonly LocalDate[],
  since: Instant,
): Promise<LocalDate[]> {
  // Returns one row per day found in the URLs of newer responses. Uses index raw_answer_newest.
  const rows = await db.query<{ day: string }>(
    `select distinct substring(a.url from '[?&](?:date|from)=(\\d{4}-\\d{2}-\\d{2})') as day
       from jsonb_to_recordset($1::jsonb) as f(provider text, feed text)
       join raw_answer a on a.provider = f.provider and a.feed = f.feed
        and a.received_at >= to_timestamp($2 / 1000.0)
      where a.outcome = 'ingested'`,
    [JSON.stringify(feeds), since],
  );
  const captured = new Set(rows.map(({ day }) => day));
  return days.filter((day) => !captured.has(day));
}

/** Returns the time when the first response was received; null for an empty store. */
export async function loadFirstResponseAt(db: Queryable): Promise<Instant | null> {
  // Returns at most one row. Uses the primary key, because ids increase in arrival order.
  const rows = await db.query<{ at: Instant }>(
    `select received_at as at from raw_answer order by id limit 1`,
  );
  return rows[0]?.at ?? null;
}
