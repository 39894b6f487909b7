import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * Returns the time when any source first reported one of the entity keys in these data sets.
 * Considers only responses received by `at`, or all if it is null. Returns null if there are none,
 * or if all have unknown times.
 */
export async function firstSeenAt(
  db: Queryable,
  { datasets, entityKeys }: { datasets: readonly string[]; entityKeys: readonly string[] },
  at: Instant | null,
): Promise<Instant | null> {
  // Returns one row. Uses the unique key of source_record and the primary keys of sighting and
  // raw_answer.
  const [row] = await db.query<{ at: Instant | null }>(
    `select min(s.observed_at) as at
       from source_record r
       join sighting s on s.record_id = r.id
       join raw_answer a on a.id = s.answer_id
      where r.dataset = any($1::text[]) and r.subject = any($2::text[])
        and s.observed_at > to_timestamp(0)
        and ($3::float8 is null or a.received_at <= to_timestamp($3 / 1000.0))`,
    [datasets, entityKeys, at],
  );
  return row?.at ?? null;
}
