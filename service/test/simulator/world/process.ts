import { type Clock, sleepWith, type Timer } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import { FaultyDb, type StoreFaults } from './faulty-db.ts';
import type { Timeline } from './timeline.ts';

/**
 * A process of the service with its own clock and access to the store. It can stop, freeze and die.
 */
export interface SimulatedProcess {
  name: string;
  clock: Clock;
  db: Db;
  faults: StoreFaults;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** Error of the wall clock. Positive: it is fast. */
  offsetMs(): number;
  stepClock(byMs: number): void;
  /** Like `kill -9`: its pending work never continues. */
  kill(): void;
  /** Like SIGSTOP and SIGCONT: timers that were due run late. */
  freeze(): void;
  thaw(): void;
  /** Called when the next post begins, before its first byte leaves. */
  onNextPost: (() => void) | null;
  /** A timer that fires exactly when due, not at the next poll. */
  setExactTimer(delayMs: number, run: () => void): Timer;
}

/** Delays of polling loops. Any other delay is an exact timer. */
const POLL_DELAYS_MS: ReadonlySet<number> = new Set([1_000, 5_000, 10_000, 20_000, 30_000]);

export function createProcess(
  name: string,
  { timeline, db, offsetMs = 0 }: { timeline: Timeline; db: Db; offsetMs?: number },
): SimulatedProcess {
  const state = { isAlive: true, isFrozen: false, offsetMs };
  const late: (() => void)[] = [];

  function whenRunning(run: () => void): () => void {
    return () => {
      if (!state.isAlive) return;
      if (state.isFrozen) late.push(run);
      else run();
    };
  }

  const setExactTimer = (delayMs: number, run: () => void): Timer => {
    return timeline.at(Math.ceil(delayMs), whenRunning(run));
  };
  const setTimer: Clock['setTimer'] = (delayMs, run) => {
    if (!POLL_DELAYS_MS.has(delayMs)) return setExactTimer(delayMs, run);
    return timeline.poll(delayMs, name, whenRunning(run));
  };
  const clock: Clock = {
    now: () => timeline.now() + state.offsetMs,
    monotonicMs: () => timeline.elapsedMs(),
    setTimer,
    sleep: (delayMs, signal) => sleepWith(setTimer, delayMs, signal),
  };
  const faultyDb = new FaultyDb(db, {
    isAlive: () => state.isAlive,
    whenThawed: () =>
      state.isFrozen ? new Promise((resolve) => late.push(resolve)) : Promise.resolve(),
    kill: () => process.kill(),
    now: () => timeline.now(),
  });
  const process: SimulatedProcess = {
    name,
    clock,
    db: faultyDb,
    faults: faultyDb.faults,
    isAlive: () => state.isAlive,
    isFrozen: () => state.isFrozen,
    offsetMs: () => state.offsetMs,
    stepClock: (byMs) => void (state.offsetMs += byMs),
    kill: () => void (state.isAlive = false),
    freeze: () => void (state.isFrozen = true),
    thaw() {
      state.isFrozen = false;
      for (const run of late.splice(0)) run();
    },
    onNextPost: null,
    setExactTimer,
  };
  return process;
}
