import { ResponseCache } from '../http/response-cache.ts';
import { staleTopicReader } from '../datasets/changes/stale-topic-reader.ts';
import { followStaleTopics } from '../ingest/stale-topics.ts';
import type { FairQueue } from '../platform/fair-queue.ts';
import { throttle } from '../platform/throttle.ts';
import type { Queryable } from '../storage/db.ts';
import { openPostgres } from '../storage/engines/postgres/postgres.ts';
import { startReplicaReads } from '../storage/engines/postgres/replica-reads.ts';
import type { AppContext } from './context.ts';
import { connectionsOf, shareOf } from './processes/node-process.ts';

const CACHE_BYTES_MAX = 256 * 1024 * 1024;
const CACHE_BYTES_MIN = 32 * 1024 * 1024;
/** Minimum interval between two checks for commits by other processes. */
const POLL_INTERVAL_MS = 25;

/** This process's response cache, which is invalidated by commits in this process and in others. */
export interface CachedReads {
  cache: ResponseCache;
  /** Database used to compute responses: a replica while it keeps up, otherwise the primary. */
  reads: Queryable;
  /** Invalidates everything that other processes have changed so far. */
  pollNow(): Promise<void>;
  /** Calls the listener after commits in any process, with the topics that they made stale. */
  onStale(listener: StaleListener): void;
}

type StaleListener = (topics: Iterable<string> | 'all') => void;

export async function openCachedReads(app: AppContext, queue: FairQueue): Promise<CachedReads> {
  const { db, clock, log, notifications, shutdown, metrics } = app;
  const sizeMaxBytes = shareOf(CACHE_BYTES_MAX, app.process, CACHE_BYTES_MIN);
  const cache = metrics.cache(new ResponseCache({ sizeMaxBytes, queue }));
  const listeners: StaleListener[] = [(topics) => invalidate(cache, topics)];
  const onStale: StaleListener = (topics) => {
    for (const listener of listeners) listener(topics);
  };
  const commits = await followStaleTopics({ db, clock, log, onStale });
  const poll = throttle(clock, POLL_INTERVAL_MS, commits.pollNow);
  notifications.subscribe({
    onCommitted: onStale,
    onCommitElsewhere: poll.trigger,
    onHistoryChanged: () => onStale('all'),
  });
  shutdown.register('commits', () => {
    poll.stop();
    commits.stop();
  });
  return {
    cache,
    reads: openReads(app, cache),
    pollNow: commits.pollNow,
    onStale: (listener) => void listeners.push(listener),
  };
}

function invalidate(cache: ResponseCache, topics: Iterable<string> | 'all'): void {
  if (topics === 'all') cache.invalidateAll();
  else cache.invalidate(topics);
}

/**
 * Opens the database for reads. A response read from a replica may predate a commit that has
 * already invalidated the cache. It is invalidated again once the replica has that commit, because
 * the commit log is replicated too.
 */
function openReads(
  { db, clock, log, settings, shutdown, process }: AppContext,
  cache: ResponseCache,
): Queryable {
  const { databaseReplicaUrl: url, databasePooler: pooler, replicaLagSeconds } = settings;
  if (url === null) return db;
  const replica = openPostgres({ url, pooler, poolSize: connectionsOf(process) });
  const commits = staleTopicReader(replica);
  let isFollowing = false;
  const reads = startReplicaReads({
    primary: db,
    replica,
    clock,
    log,
    lagMsMax: replicaLagSeconds * 1e3,
    async onCheck() {
      if (isFollowing) invalidate(cache, await commits.read());
      else await commits.begin();
      isFollowing = true;
    },
    onUnused() {
      isFollowing = false;
      cache.invalidateAll();
    },
  });
  shutdown.register('replica', async () => {
    await reads.stop();
    await replica.close();
  });
  return reads;
}
