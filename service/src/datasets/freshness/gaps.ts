import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/** Those of the days for which there is no bar at all. */
export async function daysWithoutBars(
  db: Queryable,
  days: readonly LocalDate[],
): Promise<LocalDate[]> {
  // The days themselves; each by one step into index price_bar_by_date.
  const rows = await db.query<{ day: LocalDate }>(
    `select d.day::date as day from unnest($1::text[]) as d(day)
      where not exists (select 1 from price_bar b where b.date = d.day::date and b.held is null)
      order by 1`,
    [days],
  );
  return rows.map(({ day }) => day);
}

/**
 * Those of the days of which no feed that names days has given a good answer; asked for among the
 * answers that came since.
 */
export async function daysWithoutCapture(
  db: Queryable,
  feeds: readonly { provider: string; feed: string }[],
  days: readonly LocalDate[],
  since: Instant,
): Promise<LocalDate[]> {
  // The days named by the URLs of the feeds' newer answers; by index raw_answer_newest.
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

/** When the first answer ever came; null for an empty store. */
export async function loadFirstAnswerAt(db: Queryable): Promise<Instant | null> {
  // One row, by the primary key: answers are numbered in the order in which they came.
  const rows = await db.query<{ at: Instant }>(
    `select received_at as at from raw_answer order by id limit 1`,
  );
  return rows[0]?.at ?? null;
}
