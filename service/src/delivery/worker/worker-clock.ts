import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db, Queryable } from '../../storage/db.ts';

/** A process whose clock differs more from the database's does not claim. */
const CLOCK_OFFSET_MS_MAX = 5_000;

/** A clock that moved more against the monotonic clock was set, not corrected. */
const CLOCK_STEP_MS_MAX = 1_000;

/** The time was read while the clock is not trusted. */
export class ClockUntrustedError extends Error {
  constructor() {
    super('The clock was set, or differs from the database’s. No decision may use it.');
  }
}

/** The clock of a worker. It is trusted while it runs as it did when it was last compared. */
export interface WorkerClock {
  /**
   * False before the first comparison, if the clock differs from the database's, and as soon as it was
   * set or the machine slept. By a wrong clock, changes would be too old to send, retries due and
   * midnights past.
   */
  isTrusted(): boolean;
  /**
   * Throws `ClockUntrustedError` instead of a time that is not trusted. Every reading is checked,
   * because a process may be suspended between any two steps and resume hours later.
   */
  strict: Clock;
  /** Continues from the last comparison while the clock is not trusted: for results to be recorded. */
  steady: Clock;
  /** Returns the offset from the database's clock in milliseconds; null if it is never compared. */
  compare(): Promise<number | null>;
}

export function createWorkerClock(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  /** Called once when the clock is no longer trusted, until it is compared again. */
  onDistrust(): void;
}): WorkerClock {
  const { db, clock, log, onDistrust } = deps;
  let isAccurate = false;
  /** The lead over the monotonic clock at the last comparison. */
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

/** For a clock that is shifted on purpose: always trusted, never compared. */
export function alwaysTrustedClock(clock: Clock): WorkerClock {
  return {
    isTrusted: () => true,
    strict: clock,
    steady: clock,
    compare: () => Promise.resolve(null),
  };
}

/** Returns the lead over the database's clock, accurate to half of the round trip. */
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
