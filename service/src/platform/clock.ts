import type { Instant } from './instant.ts';

/**
 * All time comes from here. Code that reads a clock or waits takes a `Clock`, so that the whole
 * service runs on a fake clock in tests.
 */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. May step; never use it to measure a duration. */
  now(): Instant;
  /** Milliseconds since an arbitrary start, never stepping back. For durations and timeouts. */
  monotonicMs(): number;
  /** Calls `run` once after at least `delayMs`; the returned timer can be cancelled. */
  setTimer(delayMs: number, run: () => void): Timer;
  /** Resolves after at least `delayMs`, or immediately when `signal` aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

/** A system clock, optionally shifted so that it starts at `startAt` and runs on from there. */
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
