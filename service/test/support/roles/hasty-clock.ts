import { type Clock, sleepWith, systemClock } from '../../../src/platform/clock.ts';

/** Tells the real time and waits so many times shorter: what takes half a minute takes seconds. */
export function hastyClock(times: number): Clock {
  const real = systemClock();
  const setTimer: Clock['setTimer'] = (delayMs, run) => real.setTimer(delayMs / times, run);
  return {
    now: real.now,
    monotonicMs: () => real.monotonicMs() * times,
    setTimer,
    sleep: (delayMs, signal) => sleepWith(setTimer, delayMs, signal),
  };
}
