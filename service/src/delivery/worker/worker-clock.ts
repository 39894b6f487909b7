import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db, Queryable } from '../../storage/db.ts';

/**
 * Maximum difference from the database's clock. A process with a larger difference does not claim
 * deliveries.
 */
const CLOCK_OFFSET_MS_MAX = 5_000;

/**
 * Maximum drift from the monotonic clock. A larger drift means that the clock was set manually
 * rather than corrected.
 */
const CLOCK_STEP_MS_MAX = 1_000;

/** Thrown when the time is read while the clock is not trusted. */
export class ClockUntrustedError extends Error {
  constructor() {
    super('The clock was set, or differs from the database’s. No decision may use it.');
  }
}

/**
 * A worker's clock. It is trusted if it matched the database's clock at the last comparison and has
 * kept pace with the monotonic clock since then.
 */
export interface WorkerClock {
  /**
   * Returns false before the first comparison, while the clock differs from the database's, and as
   * soon as the clock is set or the machine has slept. With a wrong clock, changes would look too
   * old to send, retries would look due and midnights would look past.
   */
  isTrusted(): boolean;
  /**
   * Throws `ClockUntrustedError` rather than returning a time that is not trusted. Every reading is
   * checked, because a process may be suspended between any two steps and resume hours later.
   */
  strict: Clock;
  /**
   * A clock for recording results. While the wall clock is not trusted, it advances from the last
   * comparison by the monotonic clock.
   */
  steady: Clock;
  /**
   * Compares the clocks. Returns the offset from the database's clock in milliseconds, or null if
   * the clocks are never compared.
   */
  compare(): Promise<number | null>;
}

export function createWorkerClock(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  /**
   * Called once when the clock stops being trusted, and not again until the clock has been
   * compared.
   */
  onDistrust(): void;
}): WorkerClock {
  const { db, clock, log, onDistrust } = deps;
  let isAccurate = false;
  /** Time by which the wall clock was ahead of the monotonic clock at the last comparison. */
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
 * Returns a clock that is always trusted and never compared, for processes whose clock is shifted
 * on purpose.
 */
export function alwaysTrustedClock(clock: Clock): WorkerClock {
  return {
    isTrusted: () => true,
    strict: clock,
    steady: clock,
    compare: () => Promise.resolve(null),
  };
}

/**
 * Returns the time by which the process's clock is ahead of the database's, accurate to half the
 * round trip.
 */
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
