import type { Instant } from '../../platform/instant.ts';
import type {
  FilingFollower,
  FollowedList,
  ListedFiling,
} from '../../providers/filing-follower.ts';
import type { FeedRequest } from '../../providers/provider.ts';
import type { JobStore } from '../job-store.ts';
import { readFrom, type SourceAccess } from './source-access.ts';

/** State of following a list. */
export interface ListState {
  list: FollowedList;
  /** Every filing accepted up to this instant is known; null before the first reading. */
  knownTo: Instant | null;
  /** Start of the last reading that looked further back, on the monotonic clock. */
  sweptAtMs: number;
  /** Number of readings in a row that failed after the first page. */
  endFailures: number;
  /** The rows of the first page at the last complete reading; a page that repeats them has no news. */
  firstPage: string | null;
}

export interface ListDeps extends SourceAccess {
  follower: FilingFollower;
  jobs: Pick<JobStore, 'loadProgress' | 'saveProgress'>;
  request(list: string, start: number): FeedRequest;
  /** Records the filings of a page, known ones too. */
  record(filings: readonly ListedFiling[], isLive: boolean): Promise<void>;
  progressId(list: string): string;
}

/** Filings do not appear exactly in the order in which they were accepted. */
const OVERLAP_MS = 60_000;
const SWEEP_OVERLAP_MS = 30 * 60_000;
const SWEEP_INTERVAL_MS = 5 * 60_000;
/** Reach of the first reading of all. */
const FIRST_REACH_MS = 24 * 3_600_000;
/** This many rows from before the known instant show that no newer ones follow. */
const OLDER_ROWS_MIN = 5;
/** EDGAR answers a page beyond the end of the list as if it were out of service. */
const END_FAILURES_MAX = 10;
/** A list that reaches back as far has no gap, however few rows it has. An empty one shows none. */
const GAP_MS_MIN = 20 * 3_600_000;

export async function loadListStates({
  follower,
  jobs,
  progressId,
}: ListDeps): Promise<ListState[]> {
  const states: ListState[] = [];
  for (const list of follower.lists) {
    const knownTo = await jobs.loadProgress(progressId(list.name));
    states.push({
      list,
      knownTo,
      sweptAtMs: Number.NEGATIVE_INFINITY,
      endFailures: 0,
      firstPage: null,
    });
  }
  return states;
}

/** Returns the instant to which a reading goes back. */
function reachOf(knownTo: Instant | null, startedAt: Instant, isSweep: boolean): Instant {
  if (knownTo === null) return startedAt - FIRST_REACH_MS;
  return knownTo - (isSweep ? SWEEP_OVERLAP_MS : OVERLAP_MS);
}

/**
 * Reads a list from its newest filing back to those that are known. If it fails on the way, the next
 * reading goes back as far, so a burst of filings is never cut. The instant up to which all filings
 * are known is saved only after a complete reading. Returns false if the reading failed.
 */
export async function readList(deps: ListDeps, state: ListState): Promise<boolean> {
  const { clock, follower, jobs, log } = deps;
  const { list, knownTo } = state;
  const startedAt = clock.now();
  const startedAtMs = clock.monotonicMs();
  const isSweep = startedAtMs - state.sweptAtMs >= SWEEP_INTERVAL_MS;
  const reach = reachOf(knownTo, startedAt, isSweep);
  const seen = new Set<string>();
  let newestAt = 0;
  let oldestAt = Infinity;
  let isInReach = false;
  let firstPage: string | null = null;
  for (let start = 0; !isInReach && start < follower.rowsMax;) {
    const result = await readFrom(deps, deps.request(list.name, start), (response) => {
      if (start > 0) return follower.readPage(response);
      firstPage = follower.rowsOf(response.text);
      return firstPage === state.firstPage && !isSweep ? 'unchanged' : follower.readPage(response);
    });
    if (result.kind === 'stopped') return false;
    if (result.kind !== 'read') {
      if (start === 0) return false;
      state.endFailures++;
      return state.endFailures >= END_FAILURES_MAX && (await finish());
    }
    const page = result.value;
    if (page === 'unchanged') return true;
    const isRepeated = start > 0 && page.filings.every(({ accession }) => seen.has(accession));
    if (page.rowCount > 0 && isRepeated && page.filings.length > 0) return false;
    await deps.record(page.filings, knownTo !== null);
    for (const { accession } of page.filings) seen.add(accession);
    newestAt = Math.max(newestAt, ...page.acceptedAts);
    oldestAt = Math.min(oldestAt, ...page.acceptedAts);
    if (page.rowCount === 0 && !page.isComplete) return false;
    start += page.rowCount;
    const older = page.acceptedAts.filter((at) => at < reach).length;
    const isLast = page.isComplete && page.rowCount < follower.pageRows;
    isInReach = older >= OLDER_ROWS_MIN || isLast;
  }
  return finish();

  async function finish(): Promise<boolean> {
    state.endFailures = 0;
    state.firstPage = firstPage;
    const isShort = oldestAt !== Infinity && knownTo !== null && oldestAt > knownTo;
    if (isShort && startedAt - knownTo > GAP_MS_MIN) {
      log.warn(
        { event: 'filings.gap', list: list.name, knownTo },
        'the list does not reach back far enough, the daily index closes the gap',
      );
    }
    if (isSweep) state.sweptAtMs = startedAtMs;
    // A row that is dated in the future must not hide the rows until then.
    const reached = Math.max(knownTo ?? reach, Math.min(newestAt, startedAt));
    if (reached === knownTo) return true;
    state.knownTo = reached;
    await jobs.saveProgress(deps.progressId(list.name), reached);
    return true;
  }
}
