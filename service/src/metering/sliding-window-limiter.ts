import type { Clock } from '../platform/clock.ts';

/** So many acts of each in any 60 seconds, exactly; in the memory of this process. */
export interface MinuteLimit {
  /** Takes one: 0; or takes none, and says in how many seconds, rounded up, one is free. */
  take(who: string): number;
}

const MINUTE_MS = 60_000;
/** Beyond so many the ones that did nothing for a minute are looked for, and forgotten. */
const KNOWN_MAX = 10_000;

export function minuteLimit(clock: Pick<Clock, 'monotonicMs'>, max: number): MinuteLimit {
  /** When each took what still counts, the oldest first; who took last is the last. */
  const taken = new Map<string, number[]>();

  function forgetIdle(nowMs: number): void {
    for (const [who, times] of taken) {
      if ((times.at(-1) ?? 0) > nowMs - MINUTE_MS) return;
      taken.delete(who);
    }
  }

  return {
    take(who) {
      const nowMs = clock.monotonicMs();
      const times = (taken.get(who) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS);
      const [oldest = nowMs] = times;
      if (times.length >= max) return Math.ceil((oldest + MINUTE_MS - nowMs) / 1_000);
      times.push(nowMs);
      taken.delete(who);
      taken.set(who, times);
      if (taken.size > KNOWN_MAX) forgetIdle(nowMs);
      return 0;
    },
  };
}
