import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';

/** Requests that an operator asked for together, and how far they are. */
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
  /** Requests still to be made. */
  open: number;
  /** Requests that brought no answer after three tries. */
  unavailable: number;
  rows: number;
  /** Of the newest request that was made. */
  lastDoneAt: Instant | null;
}

export async function addBatch(
  tx: Transaction,
  batch: Omit<Batch, 'open' | 'unavailable' | 'rows' | 'lastDoneAt'>,
): Promise<void> {
  const { id, kind, provider, feed, from, to, requests, startedAt, startedBy } = batch;
  // Adds one row.
  await tx.query(
    `insert into ingest_batch (id, kind, provider, feed, from_day, to_day, requests, started_at,
                               started_by)
     values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0), $9)`,
    [id, kind, provider, feed, from, to, requests, startedAt, startedBy],
  );
}

/** A page of one kind, or of both, newest first. */
export async function listBatches(
  db: Queryable,
  asked: { kind: Batch['kind'] | null; before: Instant | null; limit: number },
): Promise<Batch[]> {
  // A page of rows, backwards by ingest_batch_by_time; the requests of each by ingest_request_batch.
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
    [asked.kind, asked.before, asked.limit],
  );
}

const PROGRESS = `count(r.url) filter (where r.done_at is null)::int4 as open,
  count(r.url) filter (where r.outcome = 'unavailable')::int4 as unavailable,
  coalesce(sum(r.row_count), 0)::int4 as rows, max(r.done_at) as "lastDoneAt"`;

/** The one of this kind, and source where one is named, that is not through yet. */
export async function findOpenBatch(
  db: Queryable,
  { kind, provider }: { kind: Batch['kind']; provider: string | null },
): Promise<string | null> {
  // At most one row: batches by ingest_batch_by_time backwards, their requests by ingest_request_batch.
  const [found] = await db.query<{ id: string }>(
    `select b.id from ingest_batch b
      where b.kind = $1 and ($2::text is null or b.provider = $2)
        and exists (select 1 from ingest_request r where r.batch = b.id and r.done_at is null)
      order by b.started_at desc limit 1`,
    [kind, provider],
  );
  return found?.id ?? null;
}
