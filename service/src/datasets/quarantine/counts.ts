import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

export interface QuarantineCount {
  dataset: string;
  reason: string;
  rows: number;
}

/** Rows that could not be read since an instant, the most frequent reasons first. */
export async function countQuarantinedSince(
  db: Queryable,
  since: Instant,
): Promise<QuarantineCount[]> {
  // One row a data set and reason; goes through the quarantine, which is small when all is well.
  return db.query<QuarantineCount & Record<string, unknown>>(
    `select dataset, reason, count(*) as rows from quarantined_row
      where quarantined_at >= to_timestamp($1 / 1000.0)
      group by dataset, reason order by rows desc, dataset, reason`,
    [since],
  );
}
