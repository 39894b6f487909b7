import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/db.ts';
import { CLOCK_OFFSET_MS_MAX, CLOCK_STEP_MS_MAX, measureClockOffset } from './clock-offset.ts';

/** The time of day was asked for while the clock is not believed. */
export class ClockUntrustedError extends Error {
  constructor() {
    super('The clock was set, or differs from the database’s: nothing is decided by it.');
  }
}

/** The clock of a worker, which is believed as long as it goes on as it did when it was compared. */
export interface WorkerClock {
  /**
   * False before the first comparison, when it differs from the database's, and from the moment on in
   * which it was set or the machine slept. By such a clock changes would be too old to tell, retries
   * due, and midnights over.
   */
  isTrusted(): boolean;
  /**
   * Throws `ClockDoubtError` in the place of a time that is not believed. Every reading asks, since a
   * process may be stopped between any two steps and go on hours later on a clock that was set.
   */
  strict: Clock;
  /** Goes on from the last comparison while the clock is not believed: for what has to be written down. */
  steady: Clock;
  /** Compares it with the database's: how far it is ahead, in milliseconds; null where it never is. */
  compare(): Promise<number | null>;
}

export function createWorkerClock(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  /** Told once when the clock is believed no more, until it is compared again. */
  onDistrust(): void;
}): WorkerClock {
  const { db, clock, log, onDistrust: onDoubt } = deps;
  let isRight = false;
  /** How far it was ahead of the one that never steps, when it was compared. */
  let comparedAheadMs = Number.NaN;

  function isTrusted(): boolean {
    const movedMs = Math.abs(clock.now() - clock.monotonicMs() - comparedAheadMs);
    if (isRight && movedMs > CLOCK_STEP_MS_MAX) {
      isRight = false;
      onDoubt();
    }
    return isRight;
  }

  async function compare(): Promise<number> {
    const aheadMs = clock.now() - clock.monotonicMs();
    const offsetMs = await measureClockOffset(db, clock);
    comparedAheadMs = aheadMs;
    isRight = Math.abs(offsetMs) <= CLOCK_OFFSET_MS_MAX;
    if (!isRight) log.error({ offsetMs }, 'the clock differs from the database’s: not sending');
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
      return isTrusted() ? now : comparedAheadMs + clock.monotonicMs();
    }),
    compare,
  };
}

/** A clock that is set on purpose is believed always, and never compared. */
export function alwaysTrustedClock(clock: Clock): WorkerClock {
  return {
    isTrusted: () => true,
    strict: clock,
    steady: clock,
    compare: () => Promise.resolve(null),
  };
}

function withNow(clock: Clock, now: () => number): Clock {
  return {
    now,
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, run) => clock.setTimer(delayMs, run),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
}
