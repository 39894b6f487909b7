import type { Timer } from '../../../src/platform/clock.ts';
import type { Instant } from '../../../src/platform/instant.ts';

/**
 * The one time of a simulation. It stands still while anything is at work, and jumps to the next
 * moment at which something happens.
 */
export interface Timeline {
  /** Since the start, never back. */
  elapsedMs(): number;
  /** The right time, whatever the clocks of the processes say. */
  now(): Instant;
  /** Runs at exactly that distance from now. */
  at(delayMs: number, run: () => void): Timer;
  /**
   * Wakes somebody who looks now and then whether there is something to do: at the first moment
   * from then on at which `awake` says so. Timers promise no more than "not before".
   */
  look(delayMs: number, owner: string, run: () => void): Timer;
  /** When the next exact timer is due; null when there is none. */
  nextMs(): number | null;
  /** When the next look of these owners is due. */
  nextLookMs(owners: ReadonlySet<string>): number | null;
  /** Jumps there, and runs all that is due, lets it come to rest, and so on until nothing is. */
  moveTo(elapsedMs: number, awake: ReadonlySet<string>): Promise<void>;
}

interface Entry {
  dueAtMs: number;
  sequence: number;
  /** Null for an exact one. */
  owner: string | null;
  run: () => void;
}

export function createTimeline(startAt: Instant, settle: () => Promise<void>): Timeline {
  let elapsedMs = 0;
  let sequence = 0;
  const entries = new Set<Entry>();

  function add(delayMs: number, owner: string | null, run: () => void): Timer {
    const dueAtMs = elapsedMs + Math.max(0, delayMs);
    const entry = { dueAtMs, sequence: sequence++, owner, run };
    entries.add(entry);
    return { cancel: () => void entries.delete(entry) };
  }

  function earliest(fits: (entry: Entry) => boolean): Entry | null {
    let best: Entry | null = null;
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
    look: add,
    nextMs: () => earliest(({ owner }) => owner === null)?.dueAtMs ?? null,
    nextLookMs: (owners) =>
      earliest(({ owner }) => owner !== null && owners.has(owner))?.dueAtMs ?? null,
    moveTo,
  };
}
