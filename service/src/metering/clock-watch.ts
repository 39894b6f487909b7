import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';

/** A clock further off than this was set, not corrected. */
const JUMP_MS = 48 * 3_600_000;

/** Notices when the wall clock runs far ahead of the time that really passed. */
export interface ClockWatch {
  /** Call it when a day begins: a jump worth a warning always crosses a midnight. */
  check(now: Instant): void;
}

/**
 * Days and months count in the present window of the wall clock and never go back. One that jumps
 * far ahead opens windows of the future, and when it is set right again customers stay in them: that
 * is the operator's to mend, so it is said.
 */
export function clockWatch(deps: {
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}): ClockWatch {
  const { clock, log } = deps;
  let wallAt = clock.now();
  let monotonicAt = clock.monotonicMs();
  return {
    check(now) {
      const monotonicMs = clock.monotonicMs();
      const aheadMs = now - (wallAt + (monotonicMs - monotonicAt));
      wallAt = now;
      monotonicAt = monotonicMs;
      if (aheadMs > JUMP_MS) log.warn({ aheadHours: Math.round(aheadMs / 3_600_000) }, JUMPED);
    },
  };
}

/** How far ahead of today a stored count may be before it is worth a warning, in days. */
const AHEAD_DAYS_MAX = 2;

/** Says so when customers have been counted in days of the future. */
export function warnOfUsesAhead(
  dayIds: Iterable<number>,
  today: number,
  log: { warn(fields: object, message: string): void },
): void {
  let customers = 0;
  for (const dayId of dayIds) if (dayId > today + AHEAD_DAYS_MAX) customers += 1;
  if (customers > 0) log.warn({ customers }, COUNTED_AHEAD);
}

const JUMPED =
  'the wall clock jumped ahead; quotas now count in its day and month. If it is wrong, set it ' +
  'right and run: afterbell quotas reset-ahead';
const COUNTED_AHEAD =
  'requests have been counted in days that are yet to come: the wall clock was ahead, or is behind ' +
  'now. To open the present day for these customers run: afterbell quotas reset-ahead';
