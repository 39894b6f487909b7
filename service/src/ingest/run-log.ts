import { deleteOldCommits } from '../datasets/changes/store.ts';
import { addRun, deleteOldRuns, type IngestRun } from '../datasets/runs/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { ResponseReport } from './report.ts';

const RUN_RETENTION_MS = 30 * 86_400_000;
/** A process that falls further behind clears its whole response cache. */
const COMMIT_RETENTION_MS = 2 * 86_400_000;
const SWEEP_INTERVAL_MS = 3_600_000;
const SWEEP_ROWS = 1_000;

/** Records ingest runs. Once an hour, deletes old runs and old entries in the commit log. */
export interface RunLog {
  /** Records a run. Never throws, because a failure to record must not fail the run. */
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
    if (clock.monotonicMs() - sweptAtMs < SWEEP_INTERVAL_MS) return;
    sweptAtMs = clock.monotonicMs();
    while ((await deleteOldRuns(db, clock.now() - RUN_RETENTION_MS, SWEEP_ROWS)) === SWEEP_ROWS);
    while (
      (await deleteOldCommits(db, clock.now() - COMMIT_RETENTION_MS, SWEEP_ROWS)) === SWEEP_ROWS
    );
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

/** Returns the run for a response, or null if no source claims the response. */
export function runFromReport(
  report: ResponseReport,
  request: { url: string; startedAt: Instant; durationMs: number },
): IngestRun | null {
  const { provider, feed, datasets } = report;
  if (provider === null) return null;
  const worst =
    datasets.find(({ outcome }) => outcome === 'rejected') ??
    datasets.find(({ outcome }) => outcome === 'unsupported');
  const sum = (name: 'rowsSeen' | 'rowsNew' | 'rowsChanged' | 'rowsSame' | 'rowsQuarantined') =>
    datasets.reduce((total, dataset) => total + dataset[name], 0);
  return {
    provider,
    feed,
    ...request,
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

/** Returns the run for a request that got no response. */
export function failedRun(failed: {
  provider: string;
  url: string;
  startedAt: Instant;
  durationMs: number;
  reason: string;
}): IngestRun {
  const noRows = { rowsSeen: 0, rowsNew: 0, rowsChanged: 0, rowsSame: 0, rowsQuarantined: 0 };
  return { ...failed, ...noRows, feed: null, datasets: [], outcome: 'unavailable' };
}
