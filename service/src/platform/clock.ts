import type { Instant } from './instant.ts';

/**
 * The only source of time. Code that reads a clock or waits takes a `Clock`, so that tests can run
 * the whole service on a fake clock.
 */
export interface Clock {
  /**
   * Wall-clock time in milliseconds since 1970 UTC. It may jump, so never use it to measure a
   * duration.
   */
  now(): Instant;
  /** Milliseconds since an arbitrary start, never decreasing. Use it for durations and timeouts. */
  monotonicMs(): number;
  /** Calls `run` once after at least `delayMs`. The returned timer can be canceled. */
  setTimer(delayMs: number, run: () => void): Timer;
  /** Resolves after at least `delayMs`, or immediately when `signal` aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

/**
 * Returns a clock that follows the system time, or that starts at `startAt` and runs on from there.
 */
export function systemClock(options: { startAt?: Instant } = {}): Clock {
  const shiftMs = options.startAt === undefined ? 0 : options.startAt - Date.now();
  return {
    now: () => Date.now() + shiftMs,
    monotonicMs: () => performance.now(),
    setTimer: startTimer,
    sleep: (delayMs, signal) => sleepWith(startTimer, delayMs, signal),
  };
}

function startTimer(delayMs: number, run: () => void): Timer {
  const handle = setTimeout(run, delayMs);
  return { cancel: () => clearTimeout(handle) };
}

export function sleepWith(
  setTimer: Clock['setTimer'],
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimer(delayMs, finish);
    function finish(): void {
      timer.cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    }
    signal?.addEventListener('abort', finish);
  });
}
