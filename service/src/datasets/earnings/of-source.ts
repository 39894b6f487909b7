import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';

/** How many reports of a day stand on the word of a source. */
export async function countEarningsOfSource(
  db: Queryable,
  provider: string,
  date: LocalDate,
): Promise<number> {
  // One row; by index earnings_event_by_date.
  const [row] = await db.query<{ reports: number }>(
    `select count(*) as reports from earnings_event
      where known_to is null and date = $1 and provenance -> 'date' ->> 'provider' = $2`,
    [date, provider],
  );
  return row?.reports ?? 0;
}
