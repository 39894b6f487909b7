import { newestCommitId, readStaleTopics } from '../datasets/changes/store.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Queryable } from '../storage/db.ts';

/** Every process that keeps answers learns within this time what others committed. */
const POLL_MS = 1_000;

/**
 * Follows the commits of all processes on this store and tells which topics they made stale. A
 * commit number that is taken but not yet visible could be passed over, so each poll looks again at
 * the last hundred numbers. When the store cannot be read, everything is told to be stale.
 */
export async function followStaleTopics(deps: {
  db: Queryable;
  clock: Clock;
  log: Log;
  onStale(topics: readonly string[] | 'all'): void;
}): Promise<{ pollNow(): Promise<void>; stop(): void }> {
  const { db, clock, log, onStale } = deps;
  let seenId = await newestCommitId(db);
  let told = new Set<number>();
  let timer: Timer | null = null;
  let isStopped = false;

  async function pollNow(): Promise<void> {
    try {
      const commits = await readStaleTopics(db, Math.max(0, seenId - LOOK_BACK));
      const fresh = commits.filter(({ id }) => !told.has(id) && (id > seenId || told.size > 0));
      if (fresh.length > 0) onStale(fresh.flatMap(({ topics }) => topics));
      told = new Set(commits.map(({ id }) => id));
      seenId = Math.max(seenId, ...told);
    } catch (error) {
      log.warn({ err: error }, 'commits could not be followed; kept answers are dropped');
      onStale('all');
    }
  }

  async function loop(): Promise<void> {
    await pollNow();
    if (!isStopped) timer = clock.setTimer(POLL_MS, () => void loop());
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

const LOOK_BACK = 100;
