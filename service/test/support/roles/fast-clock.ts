import { type Clock, sleepWith, systemClock } from '../../../src/platform/clock.ts';

/** Returns a clock with the real time whose sleeps and timers are shortened by this factor. */
export function fastClock(speed: number): Clock {
  const real = systemClock();
  const setTimer: Clock['setTimer'] = (delayMs, run) => real.setTimer(delayMs / speed, run);
  return {
    now: real.now,
    monotonicMs: () => real.monotonicMs() * speed,
    setTimer,
    sleep: (delayMs, signal) => sleepWith(setTimer, delayMs, signal),
  };
}
