import { type Clock, sleepWith, systemClock } from '../../../src/platform/clock.ts';

/** A clock with the real time whose sleeps and timers are shorter by this factor. */
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
