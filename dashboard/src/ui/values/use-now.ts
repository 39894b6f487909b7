import { useSyncExternalStore } from 'react';
import { serverNow } from '../../api/server-clock.ts';

/** The update interval for all relative times, which share one timer. */
export const STEP_MS = 5_000;
const FRESH_MS = 500;
const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A new subscriber may show data that is newer than the last update of the clock.
  if (Math.abs(serverNow() - now) > FRESH_MS) step();
  timer ??= setInterval(step, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function step(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

/** Returns the current time according to the service's clock, at most a few seconds old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
