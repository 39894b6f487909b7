import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/** A feed's last successful responses. */
export interface FeedFreshness {
  provider: string;
  feed: string;
  lastSuccessAt: Instant;
  /** Observation time of the newest response. */
  newestObservationAt: Instant;
}

/** Loads the freshness of these feeds. Feeds without any successful response are absent. */
export async function loadFeedFreshness(
  db: Queryable,
  feeds: readonly { provider: string; feed: string }[],
): Promise<FeedFreshness[]> {
  // Returns one row per feed. Uses indexes raw_answer_newest and raw_answer_observed.
  const rows = await db.query<{
    provider: string;
    feed: string;
    receivedAt: Instant | null;
    observedAt: Instant | null;
  }>(
    `select f.provider, f.feed,
            (select a.received_at from raw_answer a
              where a.provider = f.provider and a.feed = f.feed and a.outcome = 'ingested'
              order by a.received_at desc limit 1) as "receivedAt",
            (select a.observed_at from raw_answer a
              where a.provider = f.provider and a.feed = f.feed and a.outcome = 'ingested'
              order by a.observed_at desc limit 1) as "observedAt"
       from jsonb_to_recordset($1::jsonb) as f(provider text, feed text)`,
    [JSON.stringify(feeds.map(({ provider, feed }) => ({ provider, feed })))],
  );
  return rows.flatMap(({ provider, feed, receivedAt, observedAt }) =>
    receivedAt === null || observedAt === null
      ? []
      : [{ provider, feed, lastSuccessAt: receivedAt, newestObservationAt: observedAt }],
  );
}

/** Returns the commit time of a data set's newest change; null without changes. */
export async function loadLastChange(db: Queryable, dataset: string): Promise<Instant | null> {
  // Returns at most one row. Uses index change_record_by_dataset, because times increase with ids.
  const rows = await db.query<{ at: Instant }>(
    `select committed_at as at from change_record where dataset = $1
      order by id desc limit 1`,
    [dataset],
  );
  return rows[0]?.at ?? null;
}
