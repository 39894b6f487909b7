import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/** Returns the instant up to which a job has run; null if it never has. */
export async function loadJobProgress(db: Queryable, id: string): Promise<Instant | null> {
  // Returns at most one row.
  const rows = await db.query<{ done_at: Instant }>(
    `select done_at from job_progress where id = $1`,
    [id],
  );
  return rows[0]?.done_at ?? null;
}

/** Saves the instant up to which a job has run. An earlier instant has no effect. */
export async function saveJobProgress(db: Queryable, id: string, at: Instant): Promise<void> {
  // Inserts or updates one row.
  await db.query(
    `insert into job_progress (id, done_at) values ($1, to_timestamp($2 / 1000.0))
     on conflict (id) do update set done_at = greatest(job_progress.done_at, excluded.done_at)`,
    [id, at],
  );
}
