import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { HELD_RECORDS, ROWS } from './list.ts';

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

/** So many rows of one source and data set wait that break one rule. */
export interface OpenCount {
  dataset: string;
  provider: string;
  reason: string;
  rows: number;
}

/** What waits for a decision, the most frequent first. */
export async function countOpen(db: Queryable): Promise<OpenCount[]> {
  // One row a data set, source and reason; goes through what is held and kept out, which is little
  // when all is well.
  return db.query<OpenCount & Row>(
    `select dataset, provider, reason, count(*)::float8 as rows
       from (select dataset, provider, reason from (${HELD_RECORDS}) held where decision is null
             union all
             select dataset, provider, reason from (${ROWS}) bad where decision is null) waits
      group by dataset, provider, reason order by rows desc, dataset, provider, reason`,
  );
}
