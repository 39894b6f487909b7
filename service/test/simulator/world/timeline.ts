import type { Timer } from '../../../src/platform/clock.ts';
import type { Instant } from '../../../src/platform/instant.ts';

/** Simulated time. It stops while work is in progress, then jumps to the next event. */
export interface Timeline {
  /** Returns the time since the start, which never decreases. */
  elapsedMs(): number;
  /** Returns the true time, independent of the processes' clocks. */
  now(): Instant;
  /** Calls `run` after exactly this delay. */
  at(delayMs: number, run: () => void): Timer;
  /**
   * Starts a polling timer. It fires at the first moment after the delay at which `awake` contains
   * the owner, because polling timers guarantee only a minimum delay.
   */
  poll(delayMs: number, owner: string, run: () => void): Timer;
  /** Returns when the next exact timer is due, or null if there is none. */
  nextMs(): number | null;
  /** Returns when these owners' next poll is due. */
  nextPollMs(owners: ReadonlySet<string>): number | null;
  /**
   * Jumps to this time, then runs due timers and waits for the world to become idle until no timer
   * is due.
   */
  moveTo(elapsedMs: number, awake: ReadonlySet<string>): Promise<void>;
}

interface PendingTimer {
  dueAtMs: number;
  sequence: number;
  /** Process that owns the polling timer. Null for an exact timer. */
  owner: string | null;
  run: () => void;
}

export function createTimeline(startAt: Instant, settle: () => Promise<void>): Timeline {
  let elapsedMs = 0;
  let sequence = 0;
  const entries = new Set<PendingTimer>();

  function add(delayMs: number, owner: string | null, run: () => void): Timer {
    const dueAtMs = elapsedMs + Math.max(0, delayMs);
    const entry = { dueAtMs, sequence: sequence++, owner, run };
    entries.add(entry);
    return { cancel: () => void entries.delete(entry) };
  }

  function earliest(fits: (entry: PendingTimer) => boolean): PendingTimer | null {
    let best: PendingTimer | null = null;
    for (const entry of entries) {
      if (!fits(entry)) continue;
      const isEarlier =
        best === null ||
        entry.dueAtMs < best.dueAtMs ||
        (entry.dueAtMs === best.dueAtMs && entry.sequence < best.sequence);
      if (isEarlier) best = entry;
    }
    return best;
  }

  async function moveTo(toMs: number, awake: ReadonlySet<string>): Promise<void> {
    elapsedMs = Math.max(elapsedMs, toMs);
    for (;;) {
      await settle();
      const next = earliest(
        ({ dueAtMs, owner }) => dueAtMs <= elapsedMs && (owner === null || awake.has(owner)),
      );
      if (next === null) return;
      entries.delete(next);
      next.run();
    }
  }

  return {
    elapsedMs: () => elapsedMs,
    now: () => startAt + elapsedMs,
    at: (delayMs, run) => add(delayMs, null, run),
    poll: add,
    nextMs: () => earliest(({ owner }) => owner === null)?.dueAtMs ?? null,
    nextPollMs: (owners) =>
      earliest(({ owner }) => owner !== null && owners.has(owner))?.dueAtMs ?? null,
    moveTo,
  };
}
