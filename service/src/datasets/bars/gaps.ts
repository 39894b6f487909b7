import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * Returns the securities that have a bar on `date` but no bars strictly between that date and their
 * own `day`, because they did not trade in between.
 */
export async function securitiesWithoutBarsSince(
  db: Queryable,
  since: readonly { securityId: string; day: LocalDate }[],
  date: LocalDate,
): Promise<Set<string>> {
  if (since.length === 0) return new Set();
  // Returns one row per security. Uses index security_symbol_security and the primary key of
  // price_bar.
  const rows = await db.query<{ id: string }>(
    `select x.id
       from unnest($1::text[], $2::text[]) as x(id, since)
       join lateral (select bool_or(b.date = $3) as has_day, bool_or(b.date < $3) as has_other
                       from security_symbol n
                       join lateral (select b.date from price_bar b
                                      where b.symbol = n.symbol and b.held is null
                                        and b.date > x.since::date and b.date <= $3
                                     offset 0) b on true
                      where n.security_id = x.id) traded on true
      where traded.has_day and not traded.has_other`,
    [since.map(({ securityId }) => securityId), since.map(({ day }) => day), date],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the days without any bar, in order. */
export async function daysWithoutBars(
  db: Queryable,
  days: readonly LocalDate[],
): Promise<LocalDate[]> {
  // Returns one row per day without bars. Uses index price_bar_by_date.
  const rows = await db.query<{ day: LocalDate }>(
    `select d.day::date as day from unnest($1::text[]) as d(day)
      where not exists (select from price_bar b where b.date = d.day::date and b.held is null)
      order by 1`,
    [days],
  );
  return rows.map(({ day }) => day);
}
