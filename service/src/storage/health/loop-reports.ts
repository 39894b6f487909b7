import { createBackoff } from '../../platform/backoff.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Log } from '../../platform/log.ts';
import type { LoopHealth } from '../../platform/loop-health.ts';
import { redact } from '../../platform/redact.ts';
import type { Queryable } from '../db.ts';
import { processName } from '../folder/process-identity.ts';
import { Recordset, sql, statement } from '../sql.ts';

const REPORT_MS = 10_000;
const ERROR_LENGTH_MAX = 500;

interface ReportDeps {
  db: Queryable;
  clock: Clock;
  log: Log;
  loops: Pick<LoopHealth, 'states'>;
  /** Default: the name of this process. */
  process?: string;
}

/**
 * Reports the state of this process's loops to the store, so that other processes can show it. A
 * clean stop removes the report.
 */
export function startLoopReports(deps: ReportDeps): { stop(): Promise<void> } {
  const { db, clock, log, process = processName() } = deps;
  const backoff = createBackoff({
    clock,
    minMs: REPORT_MS,
    maxMs: REPORT_MS,
    log: (fields) =>
      log.warn({ ...fields, event: 'loops.report_failed' }, 'loop states could not be stored'),
  });
  let isStopped = false;
  let running = Promise.resolve();
  let timer: Timer = clock.setTimer(REPORT_MS, next);

  function next(): void {
    running = report().finally(() => {
      if (!isStopped) timer = clock.setTimer(REPORT_MS, next);
    });
  }

  async function report(): Promise<void> {
    try {
      await saveLoops(deps, process);
      backoff.succeeded();
    } catch (error) {
      backoff.failed(error);
    }
  }

  return {
    async stop() {
      isStopped = true;
      timer.cancel();
      await running;
      // If the store is unavailable, the rows show that the process no longer reports.
      await db.query('delete from process_loop where process = $1', [process]).catch(() => []);
    },
  };
}

const SHAPE = {
  loop: 'text',
  success_age_ms: 'float8',
  failing_ms: 'float8',
  last_error: 'text',
  is_failing: 'bool',
} as const;

/** Saves ages instead of instants, because the clocks of processes differ. */
async function saveLoops({ db, clock, loops }: ReportDeps, process: string): Promise<void> {
  const now = clock.now();
  const ageOf = (at: Instant | null): number | null => (at === null ? null : now - at);
  const rows = loops.states().map((state) => ({
    loop: state.name,
    success_age_ms: ageOf(state.lastSuccessAt),
    failing_ms: ageOf(state.failingSince),
    last_error:
      state.lastError === null ? null : redact(state.lastError).slice(0, ERROR_LENGTH_MAX),
    is_failing: state.isFailing,
  }));
  if (rows.length === 0) return;
  // Deletes reports of processes that ended long ago.
  await db.query(
    ...statement(sql`with ended as (
       delete from process_loop where reported_at < now() - interval '1 day')
     insert into process_loop
       (process, loop, last_success_at, failing_since, last_error, is_failing, reported_at)
     select ${process}, r.loop, now() - r.success_age_ms * interval '1 ms',
            now() - r.failing_ms * interval '1 ms', r.last_error, r.is_failing, now()
       from ${new Recordset(SHAPE, rows).as('r')}
     on conflict (process, loop) do update
       set last_success_at = excluded.last_success_at, failing_since = excluded.failing_since,
           last_error = excluded.last_error, is_failing = excluded.is_failing,
           reported_at = excluded.reported_at`),
  );
}

/** A loop as its process last reported it. */
export interface LoopReport {
  /** Host name and process id. */
  process: string;
  loop: string;
  lastSuccessAt: Instant | null;
  failingSince: Instant | null;
  lastError: string | null;
  isFailing: boolean;
  reportedAt: Instant;
  /** The process has not reported for a minute: it was killed, hangs, or cannot reach the store. */
  isSilent: boolean;
}

/** Returns the loops of all processes, by name. */
export async function loadLoopReports(db: Queryable): Promise<LoopReport[]> {
  // Returns one row per process and loop.
  return db.query<LoopReport & Record<string, unknown>>(
    `select (regexp_match(process, '^\\S+ \\S+'))[1] as process, loop,
            last_success_at as "lastSuccessAt", failing_since as "failingSince",
            last_error as "lastError", is_failing as "isFailing", reported_at as "reportedAt",
            reported_at < now() - interval '1 minute' as "isSilent"
       from process_loop order by loop, process`,
  );
}
