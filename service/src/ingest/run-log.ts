import { deleteOldCommits } from '../datasets/changes/store.ts';
import { addRun, deleteOldRuns, type IngestRun } from '../datasets/runs/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { ResponseReport } from './report.ts';

/** Runs are kept for thirty days. */
const KEEP_MS = 30 * 86_400_000;
/** A process that missed more than this of the log of commits drops all that it keeps. */
const KEEP_COMMITS_MS = 2 * 86_400_000;
const SWEEP_MS = 3_600_000;
const SWEEP_LOT = 1_000;

/** Writes down what became of answers, and forgets what is old: of that, and of the log of commits. */
export interface RunLog {
  /** Never throws: what is known of a run is worth less than the run. */
  record(run: IngestRun): Promise<void>;
}

export function createRunLog(deps: {
  db: Queryable;
  clock: Clock;
  onError?: (error: unknown) => void;
}): RunLog {
  const { db, clock, onError } = deps;
  let sweptAtMs = Number.NEGATIVE_INFINITY;

  async function sweep(): Promise<void> {
    if (clock.monotonicMs() - sweptAtMs < SWEEP_MS) return;
    sweptAtMs = clock.monotonicMs();
    while ((await deleteOldRuns(db, clock.now() - KEEP_MS, SWEEP_LOT)) === SWEEP_LOT);
    while ((await deleteOldCommits(db, clock.now() - KEEP_COMMITS_MS, SWEEP_LOT)) === SWEEP_LOT);
  }

  return {
    async record(run) {
      try {
        await addRun(db, run);
        await sweep();
      } catch (error) {
        onError?.(error);
      }
    },
  };
}

/** A run of an answer that some source claims; null of any other. */
export function runFromReport(
  report: ResponseReport,
  seen: { url: string; startedAt: Instant; durationMs: number },
): IngestRun | null {
  const { provider, feed, datasets } = report;
  if (provider === null) return null;
  const worst =
    datasets.find(({ outcome }) => outcome === 'rejected') ??
    datasets.find(({ outcome }) => outcome === 'unsupported');
  const sum = (name: 'rowsSeen' | 'rowsNew' | 'rowsChanged' | 'rowsSame' | 'rowsQuarantined') =>
    datasets.reduce((total, each) => total + each[name], 0);
  return {
    provider,
    feed,
    ...seen,
    datasets: datasets.flatMap(({ dataset }) => (dataset === null ? [] : [dataset])),
    outcome: worst?.outcome ?? 'ingested',
    reason: worst?.reason ?? null,
    rowsSeen: sum('rowsSeen'),
    rowsNew: sum('rowsNew'),
    rowsChanged: sum('rowsChanged'),
    rowsSame: sum('rowsSame'),
    rowsQuarantined: sum('rowsQuarantined'),
  };
}

/** A run that brought no answer. */
export function failedRun(failed: {
  provider: string;
  url: string;
  startedAt: Instant;
  durationMs: number;
  reason: string;
}): IngestRun {
  const none = { rowsSeen: 0, rowsNew: 0, rowsChanged: 0, rowsSame: 0, rowsQuarantined: 0 };
  return { ...failed, ...none, feed: null, datasets: [], outcome: 'unavailable' };
}
