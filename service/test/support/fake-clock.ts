import type { Instant } from '../../src/platform/instant.ts';
import { type Clock, sleepWith, type Timer } from '../../src/platform/clock.ts';

/** A clock that advances only on demand, for tests and simulations. */
export interface FakeClock extends Clock {
  /** Advances time and fires every due timer in order, each at its own instant. */
  advance(durationMs: number): Promise<void>;
}

interface Pending {
  dueAtMs: number;
  sequence: number;
  run: () => void;
}

export function fakeClock(startAt: Instant): FakeClock {
  let elapsedMs = 0;
  let sequence = 0;
  const pending = new Set<Pending>();

  function setTimer(delayMs: number, run: () => void): Timer {
    const entry = { dueAtMs: elapsedMs + Math.max(0, delayMs), sequence: sequence++, run };
    pending.add(entry);
    return { cancel: () => void pending.delete(entry) };
  }

  async function advance(durationMs: number): Promise<void> {
    const untilMs = elapsedMs + durationMs;
    for (;;) {
      await settle();
      const next = earliest(pending);
      if (next === undefined || next.dueAtMs > untilMs) break;
      pending.delete(next);
      elapsedMs = next.dueAtMs;
      next.run();
    }
    elapsedMs = untilMs;
  }

  return {
    now: () => startAt + elapsedMs,
    monotonicMs: () => elapsedMs,
    setTimer,
    sleep: (delayMs, signal) => sleepWith(setTimer, delayMs, signal),
    advance,
  };
}

function earliest(pending: Iterable<Pending>): Pending | undefined {
  let best: Pending | undefined;
  for (const entry of pending) {
    if (
      best === undefined ||
      entry.dueAtMs < best.dueAtMs ||
      (entry.dueAtMs === best.dueAtMs && entry.sequence < best.sequence)
    ) {
      best = entry;
    }
  }
  return best;
}

/** Lets ready promise chains run before the next timer fires. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
