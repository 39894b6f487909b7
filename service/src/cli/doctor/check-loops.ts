import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadLoopReports, type LoopReport } from '../../storage/health/loop-reports.ts';
import { loadQueueStats } from '../../webhooks/stats/queue-stats.ts';
import { broken, type Check, ok, skipped } from './check.ts';

/** A due delivery normally waits for less than a second. */
const OVERDUE_SECONDS = 60;

interface LoopDeps {
  db: Queryable;
  now: Instant;
}

/** Checks the background loops of all processes that use the store. */
export async function checkLoops({ db }: LoopDeps): Promise<Check[]> {
  const reports = await loadLoopReports(db);
  const running = reports.filter(({ isSilent }) => !isSilent);
  const failing = running.filter(({ isFailing }) => isFailing);
  if (failing.length > 0) return failing.map(failingCheck);
  if (running.length > 0) return [ok('loops', `${running.length} background loops succeed`)];
  const [last] = reports.toSorted((a, b) => b.reportedAt - a.reportedAt);
  if (last === undefined) return [skipped('loops', 'no process has run for ten seconds')];
  return [
    broken(
      'loops',
      `no process has reported for a minute; the last one was ${last.process}`,
      'start the service; if it runs, its log says why it cannot reach the store',
    ),
  ];
}

function failingCheck({ process, loop, lastError, failingSince }: LoopReport): Check {
  const since =
    failingSince === null ? '' : ` since ${new Date(failingSince).toISOString().slice(0, 19)}Z`;
  const reason = lastError ?? 'it hangs, without an error';
  return broken(
    'loops',
    `the loop "${loop}" of process ${process} fails${since}: ${reason}`,
    'fix the cause; the loop then continues by itself',
  );
}

/** Checks that the queue of webhook deliveries moves. */
export async function checkQueue({ db, now }: LoopDeps): Promise<Check> {
  const { due, oldestDueSeconds, inFlight } = await loadQueueStats(db, now);
  if (oldestDueSeconds <= OVERDUE_SECONDS) return ok('queue', `${due} webhook deliveries are due`);
  const minutes = Math.round(oldestDueSeconds / 60);
  const message = `${due} webhook deliveries are due, the oldest for ${minutes} min, and ${inFlight} are in flight`;
  return broken(
    'queue',
    message,
    inFlight === 0
      ? 'no process sends: start the service or afterbell work, or see the loops above'
      : 'the workers are busy: start another one with afterbell work',
  );
}
