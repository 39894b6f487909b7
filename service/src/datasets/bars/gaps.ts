import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * Which of these securities have a bar on `date` and none between it and the day given for each,
 * both left out: they did not trade since.
 */
export async function withoutBarsSince(
  db: Queryable,
  since: readonly { securityId: string; day: LocalDate }[],
  date: LocalDate,
): Promise<Set<string>> {
  if (since.length === 0) return new Set();
  // The ids; by index security_symbol_security and the primary key of price_bar.
  const rows = await db.query<{ id: string }>(
    `select x.id from unnest($1::text[], $2::text[]) as x(id, since)
      where exists (select 1 from security_symbol n join price_bar b on b.symbol = n.symbol
                     where n.security_id = x.id and b.date = $3 and b.held is null)
        and not exists (select 1 from security_symbol n join price_bar b on b.symbol = n.symbol
                         where n.security_id = x.id and b.held is null
                           and b.date > x.since::date and b.date < $3)`,
    [since.map(({ securityId }) => securityId), since.map(({ day }) => day), date],
  );
  return new Set(rows.map(({ id }) => id));
}
