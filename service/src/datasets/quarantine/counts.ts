import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { QUARANTINED_RECORDS, QUARANTINED_ROWS } from './list.ts';

export interface QuarantineCount {
  dataset: string;
  reason: string;
  rows: number;
}

/** Counts the rows quarantined since an instant, most frequent reasons first. */
export async function countQuarantinedSince(
  db: Queryable,
  since: Instant,
): Promise<QuarantineCount[]> {
  // Returns one row per data set and reason. Scans the quarantine, which is normally small.
  return db.query<QuarantineCount & Row>(
    `select dataset, reason, count(*) as rows from quarantined_row
      where quarantined_at >= to_timestamp($1 / 1000.0)
      group by dataset, reason order by rows desc, dataset, reason`,
    [since],
  );
}

/** Number of open rows from one source and data set with the same reason. */
export interface OpenCount {
  dataset: string;
  provider: string;
  reason: string;
  rows: number;
}

/** Counts the quarantined rows without a decision, most frequent first. */
export async function countOpen(db: Queryable): Promise<OpenCount[]> {
  // Returns one row per data set, source and reason. Scans the quarantine, which is normally small.
  return db.query<OpenCount & Row>(
    ...statement(sql`
      select dataset, provider, reason, count(*)::float8 as rows
        from (select dataset, provider, reason from (${QUARANTINED_RECORDS}) r where decision is null
              union all
              select dataset, provider, reason from (${QUARANTINED_ROWS}) q where decision is null) o
       group by dataset, provider, reason order by rows desc, dataset, provider, reason`),
  );
}
