import { newestCommitId, readStaleTopics } from '../datasets/changes/store.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Queryable } from '../storage/db.ts';

/** Maximum delay before a process with a response cache sees another process's commit. */
const POLL_MS = 1_000;
const POLL_MS_MAX = 10_000;
const LOOK_BACK = 100;

/**
 * Follows the commits from all processes on this store and reports the topics that they made stale.
 * If the store cannot be read, all topics are reported as stale.
 */
export async function followStaleTopics(deps: {
  db: Queryable;
  clock: Clock;
  log: Log;
  onStale(topics: readonly string[] | 'all'): void;
}): Promise<{ pollNow(): Promise<void>; stop(): void }> {
  const { db, clock, log, onStale } = deps;
  const reader = staleTopicReader(db);
  await reader.begin();
  let timer: Timer | null = null;
  let isStopped = false;
  let waitMs = POLL_MS;
  const backoff = createBackoff({
    clock,
    minMs: POLL_MS,
    maxMs: POLL_MS_MAX,
    log: (fields) =>
      log.warn(
        { ...fields, event: 'response_cache.invalidation_failed' },
        'commits could not be read, response cache cleared',
      ),
  });

  async function pollNow(): Promise<void> {
    try {
      const topics = await reader.read();
      if (topics === 'all' || topics.length > 0) onStale(topics);
      backoff.succeeded();
      waitMs = POLL_MS;
    } catch (error) {
      waitMs = backoff.failed(error);
      onStale('all');
    }
  }

  async function loop(): Promise<void> {
    await pollNow();
    if (!isStopped) timer = clock.setTimer(waitMs, () => void loop());
  }

  await loop();
  return {
    pollNow,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

/** Reads the topics that commits made stale since the last read. */
export interface StaleTopicReader {
  /** Starts reading after the newest commit. */
  begin(): Promise<void>;
  /** Returns `all` if commits since the last read may have been deleted. */
  read(): Promise<string[] | 'all'>;
}

/**
 * Creates a reader. A commit id may be assigned before the commit becomes visible, so each read
 * checks the last hundred ids again. The reader loads topics only for new commits.
 */
export function staleTopicReader(db: Queryable): StaleTopicReader {
  let newestId = 0;
  let reportedIds = new Set<number>();
  return {
    async begin() {
      newestId = await newestCommitId(db);
      reportedIds = new Set();
    },
    async read() {
      const afterId = Math.max(0, newestId - LOOK_BACK);
      const commits = await readStaleTopics(db, afterId, [...reportedIds]);
      const ids = commits.map(({ id }) => id);
      // Recent commits are never deleted. If the newest known commit is missing, this process slept
      // for days or the store lost its last commits.
      if (newestId > 0 && !ids.includes(newestId)) {
        reportedIds = new Set(ids);
        newestId = Math.max(0, ...ids);
        return 'all';
      }
      const added = commits.filter(
        ({ id }) => !reportedIds.has(id) && (id > newestId || reportedIds.size > 0),
      );
      reportedIds = new Set(ids);
      newestId = Math.max(newestId, ...ids);
      return added.flatMap(({ topics }) => topics);
    },
  };
}
