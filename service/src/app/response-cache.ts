import { type ResponseCache, createResponseCache } from '../http/response-cache.ts';
import { followStaleTopics, staleTopicReader } from '../ingest/stale-topics.ts';
import { throttle } from '../platform/throttle.ts';
import type { Queryable } from '../storage/db.ts';
import { openPostgres } from '../storage/engines/postgres/postgres.ts';
import { openReplicaReads } from '../storage/engines/postgres/replica-reads.ts';
import type { AppContext } from './context.ts';

const CACHE_BYTES_MAX = 256 * 1024 * 1024;
/** While others commit all the time, commits are read so often at most. */
const FOLLOW_MS = 25;

/** The answers this process keeps, and what makes them stale: its own commits and those of others. */
export interface CachedReads {
  cache: ResponseCache;
  /** Where answers are read that may be seconds old: a replica while one keeps up. */
  reads: Queryable;
  /** Learns now what others committed. */
  pollNow(): Promise<void>;
}

export async function openCachedReads(base: AppContext): Promise<CachedReads> {
  const { db, clock, log, notifications: hints, shutdown, metrics: measured } = base;
  const cache = measured.cache(createResponseCache({ sizeMaxBytes: CACHE_BYTES_MAX }));
  const commits = await followStaleTopics({
    db,
    clock,
    log,
    onStale: (topics) => drop(cache, topics),
  });
  const follow = throttle(clock, FOLLOW_MS, commits.pollNow);
  hints.subscribe({
    onCommitted: (topics) => cache.invalidate(topics),
    onCommitElsewhere: follow.trigger,
  });
  shutdown.register('commits', () => {
    follow.stop();
    commits.stop();
  });
  return { cache, reads: openReads(base, cache), pollNow: commits.pollNow };
}

function drop(cache: ResponseCache, topics: readonly string[] | 'all'): void {
  if (topics === 'all') cache.invalidateAll();
  else cache.invalidate(topics);
}

/**
 * An answer that is read from a replica may lack what is committed and was told of already. So it is
 * dropped again once the replica has the commit: its log of commits arrives with what it tells of.
 */
function openReads(
  { db, clock, log, settings, shutdown }: AppContext,
  cache: ResponseCache,
): Queryable {
  const { databaseReplicaUrl: url, replicaLagSeconds } = settings;
  if (url === null) return db;
  const replica = openPostgres({ url });
  const commits = staleTopicReader(replica);
  let isFollowed = false;
  const reads = openReplicaReads({
    primary: db,
    replica,
    clock,
    log,
    lagMsMax: replicaLagSeconds * 1e3,
    async onLook() {
      if (isFollowed) drop(cache, await commits.read());
      else await commits.begin();
      isFollowed = true;
    },
    onLeft() {
      isFollowed = false;
      cache.invalidateAll();
    },
  });
  shutdown.register('replica', async () => {
    await reads.stop();
    await replica.close();
  });
  return reads;
}
