import type { Clock } from '../../platform/clock.ts';
import type { Queryable } from '../../storage/db.ts';

/** A process whose clock is further from the database's does not claim. */
export const CLOCK_OFFSET_MS_MAX = 5_000;

/** One that moved by more against the clock that never steps was set, not corrected. */
export const CLOCK_STEP_MS_MAX = 1_000;

/** How far the service's clock is ahead of the database's, give or take half of the asking. */
export async function measureClockOffset(db: Queryable, clock: Clock): Promise<number> {
  const startedMs = clock.monotonicMs();
  // One row: the database's clock.
  const [row] = await db.query<{ now: number }>(`select clock_timestamp() as now`);
  const tookMs = clock.monotonicMs() - startedMs;
  return row === undefined ? 0 : Math.round(clock.now() - tookMs / 2 - row.now);
}
