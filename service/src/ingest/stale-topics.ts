import { newestCommitId, readStaleTopics } from '../datasets/changes/store.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Queryable } from '../storage/db.ts';

/** Every process that keeps answers learns within this time what others committed. */
const POLL_MS = 1_000;
const POLL_MS_MAX = 10_000;

/**
 * Follows the commits of all processes on this store and tells which topics they made stale. When
 * the store cannot be read, everything is told to be stale.
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
  const trouble = createBackoff({
    clock,
    minMs: POLL_MS,
    maxMs: POLL_MS_MAX,
    log: (facts) => log.warn(facts, 'commits could not be followed; kept answers are dropped'),
  });

  async function pollNow(): Promise<void> {
    try {
      const topics = await reader.read();
      if (topics === 'all' || topics.length > 0) onStale(topics);
      trouble.succeeded();
      waitMs = POLL_MS;
    } catch (error) {
      waitMs = trouble.failed(error);
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

/** Reads which topics commits made stale, from where it was the last time. */
export interface StaleTopicReader {
  /** From now on: what was committed before is told by nobody. */
  begin(): Promise<void>;
  /** All, where commits since may have been forgotten. */
  read(): Promise<string[] | 'all'>;
}

/**
 * A commit number that is taken but not yet visible could be passed over, so each read looks again at
 * the last hundred numbers, and tells of none twice.
 */
export function staleTopicReader(db: Queryable): StaleTopicReader {
  let seenId = 0;
  let told = new Set<number>();
  return {
    async begin() {
      seenId = await newestCommitId(db);
      told = new Set();
    },
    async read() {
      const commits = await readStaleTopics(db, Math.max(0, seenId - LOOK_BACK));
      // The newest that was seen is there as long as any after it: a process that slept for days, or a
      // store that lost its last commits, finds it gone.
      if (seenId > 0 && !commits.some(({ id }) => id === seenId)) {
        told = new Set(commits.map(({ id }) => id));
        seenId = Math.max(0, ...told);
        return 'all';
      }
      const fresh = commits.filter(({ id }) => !told.has(id) && (id > seenId || told.size > 0));
      told = new Set(commits.map(({ id }) => id));
      seenId = Math.max(seenId, ...told);
      return fresh.flatMap(({ topics }) => topics);
    },
  };
}

const LOOK_BACK = 100;
