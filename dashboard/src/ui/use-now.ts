import { useSyncExternalStore } from 'react';

/** One timer for every distance on the page. */
const STEP_MS = 5_000;
const FRESH_MS = 500;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // What just came onto the page may be younger than the last step.
  if (Date.now() - now > FRESH_MS) step();
  timer ??= setInterval(step, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function step(): void {
  now = Date.now();
  for (const tell of listeners) tell();
}

/** The viewer's time, a few seconds old at most. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
