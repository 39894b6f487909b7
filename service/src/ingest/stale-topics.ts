import { staleTopicReader } from '../datasets/changes/stale-topic-reader.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Queryable } from '../storage/db.ts';

/** Maximum delay before a process with a response cache sees another process's commit. */
const POLL_MS = 1_000;
const POLL_MS_MAX = 10_000;

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
