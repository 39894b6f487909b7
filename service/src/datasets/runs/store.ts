import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';

export const RUN_OUTCOMES = ['ingested', 'rejected', 'unsupported', 'unavailable'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** The result of one response, or of a request without one. */
export interface IngestRun {
  provider: string;
  /** Null if no feed reads the response, or if there was no response. */
  feed: string | null;
  datasets: string[];
  /** URL without API keys. */
  url: string;
  startedAt: Instant;
  durationMs: number;
  outcome: RunOutcome;
  /** The reason if the outcome is not `ingested`. */
  reason: string | null;
  rowsSeen: number;
  rowsNew: number;
  rowsChanged: number;
  rowsSame: number;
  rowsQuarantined: number;
}

export async function addRun(db: Queryable, run: IngestRun): Promise<void> {
  // Inserts one row.
  await db.query(
    ...statement(sql`
      insert into ingest_run (provider, feed, datasets, url, started_at, duration_ms, outcome, reason,
                              rows_seen, rows_new, rows_changed, rows_same, rows_quarantined)
      values (${run.provider}, ${run.feed}, ${run.datasets}::text[], ${run.url},
              to_timestamp(${run.startedAt} / 1000.0), ${run.durationMs}, ${run.outcome},
              ${run.reason}, ${run.rowsSeen}, ${run.rowsNew}, ${run.rowsChanged}, ${run.rowsSame},
              ${run.rowsQuarantined})`),
  );
}

/** Returns a page of runs, newest first. */
export async function listRuns(
  db: Queryable,
  filter: {
    provider?: string | undefined;
    outcome?: RunOutcome | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<(IngestRun & { id: number })[]> {
  const { provider, outcome, before, limit } = filter;
  let where = sql`true`;
  if (provider !== undefined) where = sql`${where} and provider = ${provider}`;
  if (outcome !== undefined) where = sql`${where} and outcome = ${outcome}`;
  if (before !== undefined) where = sql`${where} and id < ${before}`;
  // Returns a page of rows. Scans the primary key backwards, or the index that begins with the
  // filter.
  return db.query<IngestRun & { id: number } & Row>(
    ...statement(sql`
      select ${COLUMNS} from ingest_run where ${where} order by id desc limit ${limit}`),
  );
}

const COLUMNS = sql`id, provider, feed, datasets, url, started_at as "startedAt",
  duration_ms as "durationMs", outcome, reason, rows_seen as "rowsSeen", rows_new as "rowsNew",
  rows_changed as "rowsChanged", rows_same as "rowsSame", rows_quarantined as "rowsQuarantined"`;

export interface LastFailure {
  provider: string;
  at: Instant;
  outcome: RunOutcome;
  reason: string | null;
}

/** Returns the newest failure for each source that has one. */
export async function loadLastFailures(
  db: Queryable,
  providers: readonly string[],
): Promise<LastFailure[]> {
  // Returns at most one row per source. Reads the ends of index ingest_run_by_provider for both
  // outcomes.
  return db.query<LastFailure & Row>(
    `select p.name as provider, f.at, f.outcome, f.reason
       from unnest($1::text[]) as p(name)
      cross join lateral (
        select r.id, r.started_at as at, r.outcome, r.reason
          from unnest(array['rejected', 'unavailable']) as o(outcome)
         cross join lateral (select * from ingest_run i
                              where i.provider = p.name and i.outcome = o.outcome
                              order by i.id desc limit 1) r
         order by r.id desc limit 1) f`,
    [providers],
  );
}

/** Returns the time of a feed's last response since `since`, by stored URL. */
export async function loadResponseTimes(
  db: Queryable,
  { provider, feed, since }: { provider: string; feed: string; since: Instant },
): Promise<Map<string, Instant>> {
  // Returns one row per URL, some ten thousand. Uses index ingest_run_by_time.
  const rows = await db.query<{ url: string; at: Instant }>(
    `select url, max(started_at) as at from ingest_run
      where provider = $1 and feed = $2 and started_at >= to_timestamp($3 / 1000.0)
      group by url`,
    [provider, feed, since],
  );
  return new Map(rows.map(({ url, at }) => [url, at]));
}

/** Deletes up to `limit` runs older than `before` and returns the number deleted. */
export async function deleteOldRuns(
  db: Queryable,
  before: Instant,
  limit: number,
): Promise<number> {
  // Deletes at most `limit` rows. Uses index ingest_run_by_time.
  const deleted = await db.query(
    `delete from ingest_run where id in (
       select id from ingest_run where started_at < to_timestamp($1 / 1000.0)
        order by started_at limit $2) returning id`,
    [before, limit],
  );
  return deleted.length;
}
