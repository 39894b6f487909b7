import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db, Queryable } from '../../storage/db.ts';

/**
 * Maximum difference from the database's clock. A process whose clock differs more does not claim.
 */
const CLOCK_OFFSET_MS_MAX = 5_000;

/**
 * Maximum drift against the monotonic clock. A clock that moved more was set manually rather than
 * corrected.
 */
const CLOCK_STEP_MS_MAX = 1_000;

/** Thrown when the time is read while the clock is not trusted. */
export class ClockUntrustedError extends Error {
  constructor() {
    super('The clock was set, or differs from the database’s. No decision may use it.');
  }
}

/**
 * The clock of a worker. The clock is trusted while it keeps pace with the monotonic clock since
 * the last comparison.
 */
export interface WorkerClock {
  /**
   * Returns false before the first comparison, if the clock differs from the database's, and as
   * soon as the clock was set or the machine slept. A wrong clock would make changes look too old
   * to send, retries look due and midnights look past.
   */
  isTrusted(): boolean;
  /**
   * Throws `ClockUntrustedError` rather than returning a time that is not trusted. Every reading is
   * checked, because a process may be suspended between any two steps and resume hours later.
   */
  strict: Clock;
  /**
   * While the clock is not trusted, continues from the last comparison by the monotonic clock, so
   * that results can still be recorded.
   */
  steady: Clock;
  /**
   * Returns the offset from the database's clock in milliseconds, or null if the clocks are never
   * compared.
   */
  compare(): Promise<number | null>;
}

export function createWorkerClock(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  /**
   * Called once when the clock loses its trust, and not again until the clock has been compared.
   */
  onDistrust(): void;
}): WorkerClock {
  const { db, clock, log, onDistrust } = deps;
  let isAccurate = false;
  /** Lead over the monotonic clock at the last comparison. */
  let comparedLeadMs = Number.NaN;

  function isTrusted(): boolean {
    const movedMs = Math.abs(clock.now() - clock.monotonicMs() - comparedLeadMs);
    if (isAccurate && movedMs > CLOCK_STEP_MS_MAX) {
      isAccurate = false;
      onDistrust();
    }
    return isAccurate;
  }

  async function compare(): Promise<number> {
    const leadMs = clock.now() - clock.monotonicMs();
    const offsetMs = await measureOffset(db, clock);
    comparedLeadMs = leadMs;
    isAccurate = Math.abs(offsetMs) <= CLOCK_OFFSET_MS_MAX;
    if (!isAccurate) {
      log.error(
        { event: 'clock.offset', offsetMs },
        'clock differs from the database’s, webhook delivery paused',
      );
    }
    return offsetMs;
  }

  return {
    isTrusted,
    strict: withNow(clock, () => {
      const now = clock.now();
      if (!isTrusted()) throw new ClockUntrustedError();
      return now;
    }),
    steady: withNow(clock, () => {
      const now = clock.now();
      return isTrusted() ? now : comparedLeadMs + clock.monotonicMs();
    }),
    compare,
  };
}

/**
 * Returns a clock that is always trusted and never compared, for a clock that is shifted on
 * purpose.
 */
export function alwaysTrustedClock(clock: Clock): WorkerClock {
  return {
    isTrusted: () => true,
    strict: clock,
    steady: clock,
    compare: () => Promise.resolve(null),
  };
}

/** Returns the lead over the database's clock, accurate to half the round trip. */
async function measureOffset(db: Queryable, clock: Clock): Promise<number> {
  const startedMs = clock.monotonicMs();
  const [row] = await db.query<{ now: number }>(`select clock_timestamp() as now`);
  const roundTripMs = clock.monotonicMs() - startedMs;
  return row === undefined ? 0 : Math.round(clock.now() - roundTripMs / 2 - row.now);
}

function withNow(clock: Clock, now: () => number): Clock {
  return {
    now,
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, run) => clock.setTimer(delayMs, run),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
}
