import { useSyncExternalStore } from 'react';
import { serverNow } from '../../api/server-clock.ts';

/** A shared timer for all relative times. */
export const STEP_MS = 5_000;
const FRESH_MS = 500;
const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A new subscriber may show data newer than the last step.
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

/** The current time by the service's clock, at most a few seconds old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
