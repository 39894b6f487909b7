import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';

/** Requests that an operator started together, with their progress. */
export interface Batch {
  id: string;
  kind: 'run' | 'backfill';
  provider: string;
  feed: string | null;
  from: LocalDate | null;
  to: LocalDate | null;
  requests: number;
  startedAt: Instant;
  startedBy: string;
  /** Number of pending requests. */
  open: number;
  /** Number of requests without a response after three tries. */
  unavailable: number;
  rows: number;
  /** Time when the latest request was completed. */
  lastDoneAt: Instant | null;
}

export async function addBatch(
  tx: Transaction,
  batch: Omit<Batch, 'open' | 'unavailable' | 'rows' | 'lastDoneAt'>,
): Promise<void> {
  const { id, kind, provider, feed, from, to, requests, startedAt, startedBy } = batch;
  // Inserts one row.
  await tx.query(
    ...statement(sql`
      insert into ingest_batch (id, kind, provider, feed, from_day, to_day, requests, started_at,
                                started_by)
      values (${id}, ${kind}, ${provider}, ${feed}, ${from}, ${to}, ${requests},
              to_timestamp(${startedAt} / 1000.0), ${startedBy})`),
  );
}

/** Returns a page of batches, newest first. */
export async function listBatches(
  db: Queryable,
  filter: { kind: Batch['kind'] | null; before: Instant | null; limit: number },
): Promise<Batch[]> {
  // Returns a page of rows. Scans ingest_batch_by_time backwards; uses ingest_request_batch for
  // each batch.
  return db.query<Batch & Row>(
    `select b.id, b.kind, b.provider, b.feed, b.from_day as "from", b.to_day as "to", b.requests,
            b.started_at as "startedAt", b.started_by as "startedBy", ${PROGRESS}
       from (select * from ingest_batch
              where ($1::text is null or kind = $1)
                and ($2::float8 is null or started_at < to_timestamp($2 / 1000.0))
              order by started_at desc, id desc limit $3) b
       left join ingest_request r on r.batch = b.id
      group by b.id, b.kind, b.provider, b.feed, b.from_day, b.to_day, b.requests, b.started_at,
               b.started_by
      order by b.started_at desc, b.id desc`,
    [filter.kind, filter.before, filter.limit],
  );
}

const PROGRESS = `count(r.url) filter (where r.done_at is null)::int4 as open,
  count(r.url) filter (where r.outcome = 'unavailable')::int4 as unavailable,
  coalesce(sum(r.row_count), 0)::int4 as rows, max(r.done_at) as "lastDoneAt"`;

/**
 * Returns the id of an unfinished batch of this kind, limited to the provider unless it is null.
 */
export async function findOpenBatch(
  db: Queryable,
  { kind, provider }: { kind: Batch['kind']; provider: string | null },
): Promise<string | null> {
  // Returns at most one row. Scans ingest_batch_by_time backwards; uses ingest_request_batch for
  // each batch.
  const [batch] = await db.query<{ id: string }>(
    `select b.id from ingest_batch b
      where b.kind = $1 and ($2::text is null or b.provider = $2)
        and exists (select 1 from ingest_request r where r.batch = b.id and r.done_at is null)
      order by b.started_at desc limit 1`,
    [kind, provider],
  );
  return batch?.id ?? null;
}
