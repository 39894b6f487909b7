import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';

/** A queued request from a backfill or from a run started by an operator. */
export interface IngestRequest {
  provider: string;
  feed: string;
  /** URL without secrets, which are added when the request is sent. */
  url: string;
  /** The day that the requested data is for. */
  day: LocalDate;
}

/**
 * `ingested`: the response is stored. `rejected`: the response was unusable, or the source has no
 * such data. `unavailable`: no response after three tries. `dropped`: the request is no longer
 * planned.
 */
export type RequestOutcome = 'ingested' | 'rejected' | 'unavailable' | 'dropped';

/** Number of a batch's requests by outcome. */
export type BatchProgress = Record<RequestOutcome | 'open' | 'rows', number>;

const TRIES_MAX = 3;

/**
 * Queues requests for a batch and returns how many are pending. Without `isRefetch`, a request is
 * skipped if its response was ingested at least a day after the end of its day.
 */
export async function queueRequests(
  db: Queryable,
  requests: readonly IngestRequest[],
  batch: { id: string; isUrgent: boolean; isRefetch: boolean; now: Instant },
): Promise<number> {
  // Returns one row per pending request.
  const rows = await db.query(
    `insert into ingest_request (provider, feed, url, day, batch, urgent, asked_at)
     select provider, feed, url, day, $2, $3, to_timestamp($5 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(provider text, feed text, url text, day date)
     on conflict (provider, feed, url) do update
        set day = excluded.day, batch = excluded.batch, asked_at = excluded.asked_at,
            urgent = excluded.urgent, tries = 0, done_at = null, outcome = null, row_count = 0
      where $4 or ingest_request.outcome is distinct from 'ingested'
         or ingest_request.done_at < ingest_request.day + interval '2 days'
     returning url`,
    [JSON.stringify(requests), batch.id, batch.isUrgent, batch.isRefetch, batch.now],
  );
  return rows.length;
}

export interface RequestFilter {
  isUrgentOnly: boolean;
  /** Hosts whose requests are skipped for now. */
  exceptHosts: readonly string[];
}

/** Returns the next request to a source: urgent requests first, then the newest day. */
export async function nextRequest(
  db: Queryable,
  provider: string,
  { isUrgentOnly, exceptHosts }: RequestFilter,
): Promise<IngestRequest | null> {
  // Returns at most one row. Uses index ingest_request_open.
  const rows = await db.query<{ feed: string; url: string; day: LocalDate }>(
    `select feed, url, day from ingest_request
      where provider = $1 and done_at is null and (urgent or not $2)
        and split_part(url, '/', 3) <> all($3::text[])
      order by urgent desc, day desc, url limit 1`,
    [provider, isUrgentOnly, exceptHosts],
  );
  const row = rows[0];
  return row === undefined ? null : { provider, ...row };
}

export async function finishRequest(
  db: Queryable,
  { provider, feed, url }: IngestRequest,
  { outcome, rows, now }: { outcome: RequestOutcome; rows: number; now: Instant },
): Promise<void> {
  // Updates at most one row.
  await db.query(
    ...statement(sql`
      update ingest_request
         set done_at = to_timestamp(${now} / 1000.0), outcome = ${outcome}, row_count = ${rows},
             tries = tries + 1
       where provider = ${provider} and feed = ${feed} and url = ${url} and done_at is null`),
  );
}

/** Counts a try without a response. The third such try completes the request. */
export async function recordFailedTry(
  db: Queryable,
  { provider, feed, url }: IngestRequest,
  now: Instant,
): Promise<void> {
  // Updates at most one row.
  await db.query(
    `update ingest_request
        set tries = tries + 1,
            done_at = case when tries + 1 >= $5 then to_timestamp($4 / 1000.0) end,
            outcome = case when tries + 1 >= $5 then 'unavailable' end
      where provider = $1 and feed = $2 and url = $3 and done_at is null`,
    [provider, feed, url, now, TRIES_MAX],
  );
}

export async function loadBatchProgress(db: Queryable, id: string): Promise<BatchProgress> {
  // Returns one row per outcome, at most five. Uses index ingest_request_batch.
  const rows = await db.query<{ outcome: RequestOutcome | null; requests: number; rows: number }>(
    `select outcome, count(*) as requests, sum(row_count) as rows
       from ingest_request where batch = $1 group by outcome`,
    [id],
  );
  const progress = { open: 0, ingested: 0, rejected: 0, unavailable: 0, dropped: 0, rows: 0 };
  for (const row of rows) {
    progress[row.outcome ?? 'open'] = row.requests;
    progress.rows += row.rows;
  }
  return progress;
}

/** Returns the number of pending requests by source. */
export async function countOpenRequests(
  db: Queryable,
): Promise<{ provider: string; requests: number; oldestDay: LocalDate }[]> {
  // Returns one row per source with pending requests. Scans the partial index ingest_request_open.
  return db.query(
    `select provider, count(*) as requests, min(day) as "oldestDay"
       from ingest_request where done_at is null group by provider order by provider`,
  );
}
