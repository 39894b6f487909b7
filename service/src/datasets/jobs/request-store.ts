import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/** A request to be made once: of a back-fill, or of a run asked for by hand. */
export interface IngestRequest {
  provider: string;
  feed: string;
  /** Without its secrets: they are put in anew when it is made. */
  url: string;
  /** The day for which it was planned. */
  day: LocalDate;
}

/**
 * `ingested`: its answer is in the store. `rejected`: the answer was of no use, or there is no such
 * thing. `unavailable`: no answer after three tries. `dropped`: no longer among what is planned.
 */
export type RequestOutcome = 'ingested' | 'rejected' | 'unavailable' | 'dropped';

/** What became of the requests of one batch. */
export type BatchProgress = Record<RequestOutcome | 'open' | 'rows', number>;

const TRIES_MAX = 3;

/**
 * Asks for requests to be made, in a batch under one name, and returns how many will be: what was
 * taken in before is left out unless `again`, provided that its day had been over for a day by then.
 */
export async function queueRequests(
  db: Queryable,
  requests: readonly IngestRequest[],
  batch: { id: string; isUrgent: boolean; isRefetch: boolean; now: Instant },
): Promise<number> {
  // One row a request that is open now; each by the primary key.
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

/** What to ask next of a source: what is urgent first, then the newest day. */
export async function nextRequest(
  db: Queryable,
  provider: string,
  isUrgentOnly: boolean,
): Promise<IngestRequest | null> {
  // The first open request, by index ingest_request_open.
  const rows = await db.query<{ feed: string; url: string; day: LocalDate }>(
    `select feed, url, day from ingest_request
      where provider = $1 and done_at is null and (urgent or not $2)
      order by urgent desc, day desc, url limit 1`,
    [provider, isUrgentOnly],
  );
  const row = rows[0];
  return row === undefined ? null : { provider, ...row };
}

export async function finishRequest(
  db: Queryable,
  request: IngestRequest,
  done: { outcome: RequestOutcome; rows: number; now: Instant },
): Promise<void> {
  // By the primary key.
  await db.query(
    `update ingest_request
        set done_at = to_timestamp($4 / 1000.0), outcome = $5, row_count = $6, tries = tries + 1
      where provider = $1 and feed = $2 and url = $3 and done_at is null`,
    [request.provider, request.feed, request.url, done.now, done.outcome, done.rows],
  );
}

/** Notes a try without an answer; the third is the last. */
export async function recordFailedTry(
  db: Queryable,
  request: IngestRequest,
  now: Instant,
): Promise<void> {
  // By the primary key.
  await db.query(
    `update ingest_request
        set tries = tries + 1,
            done_at = case when tries + 1 >= $5 then to_timestamp($4 / 1000.0) end,
            outcome = case when tries + 1 >= $5 then 'unavailable' end
      where provider = $1 and feed = $2 and url = $3 and done_at is null`,
    [request.provider, request.feed, request.url, now, TRIES_MAX],
  );
}

export async function loadBatchProgress(db: Queryable, id: string): Promise<BatchProgress> {
  // At most five rows, one an outcome; by index ingest_request_batch.
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

/** How many requests are still to be made, by source. */
export async function countOpenRequests(
  db: Queryable,
): Promise<{ provider: string; requests: number; oldestDay: LocalDate }[]> {
  // One row a source with open requests; the partial index ingest_request_open holds no others.
  return db.query(
    `select provider, count(*) as requests, min(day) as "oldestDay"
       from ingest_request where done_at is null group by provider order by provider`,
  );
}
