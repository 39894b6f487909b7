import { type Clock, sleepWith, type Timer } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import { FaultyDb, type StoreFaults } from './faulty-db.ts';
import type { Timeline } from './timeline.ts';

/** A service process with its own clock and access to the store. It can stop, freeze and die. */
export interface SimulatedProcess {
  name: string;
  clock: Clock;
  db: Db;
  faults: StoreFaults;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** Returns the wall clock's error. A positive error means that the clock is ahead. */
  offsetMs(): number;
  stepClock(byMs: number): void;
  /** Works like `kill -9`: the process's pending work never continues. */
  kill(): void;
  /** Works like SIGSTOP and SIGCONT: timers that were due run late. */
  freeze(): void;
  thaw(): void;
  /** Called when the next post begins, before its first byte is sent. */
  onNextPost: (() => void) | null;
  /** Sets a timer that fires exactly when due, rather than at the next poll. */
  setExactTimer(delayMs: number, run: () => void): Timer;
}

/** Delays used by polling loops. A timer with any other delay is exact. */
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

/** Returns the process's response, or null if the process died first. */
export async function resultUnlessDead<T>(
  response: Promise<T>,
  { isAlive }: { isAlive(): boolean },
): Promise<T | null> {
  const state: { result: T | null; isOver: boolean } = { result: null, isOver: false };
  void response.then((result) => Object.assign(state, { result, isOver: true }));
  while (!state.isOver && isAlive()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return state.result;
}
