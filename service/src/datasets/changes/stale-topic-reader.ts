import { type CountedDb, whenWritten } from '../../storage/when-written.ts';
import { type CommitLogState, commitLogState, newestCommitId, readStaleTopics } from './store.ts';

const LOOK_BACK = 100;

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
export function staleTopicReader(db: CountedDb): StaleTopicReader {
  let newestId = 0;
  let reportedIds = new Set<number>();
  /** State after the last read, to which the idle service compares once a second. */
  let settled: (CommitLogState & { afterId: number }) | null = null;
  const hasNewCommits = whenWritten(db, async () => {
    if (settled === null) return true;
    const state = await commitLogState(db, settled.afterId);
    return state.newestId !== settled.newestId || state.count !== settled.count;
  });
  return {
    async begin() {
      newestId = await newestCommitId(db);
      reportedIds = new Set();
      settled = null;
    },
    async read() {
      if (!(await hasNewCommits())) return [];
      settled = null;
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
      newestId = Math.max(newestId, ...ids);
      const known = [...reportedIds, ...ids].filter((id) => id > newestId - LOOK_BACK);
      reportedIds = new Set(known);
      // Only a read that found nothing new has seen all commits up to the newest.
      if (added.length === 0 && newestId > 0) {
        const count = [...reportedIds].filter((id) => id > afterId).length;
        settled = { afterId, newestId, count };
      }
      return added.flatMap(({ topics }) => topics);
    },
  };
}
