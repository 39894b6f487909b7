/** Counts what is under way for each who asks, so that nobody takes up the whole process. */
export interface ConcurrencyLimit {
  /** What to call when it is done; null when as much as may be is under way already. */
  acquire(who: string): (() => void) | null;
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const counts = new Map<string, number>();
  return {
    acquire(who) {
      const count = counts.get(who) ?? 0;
      if (count >= max) return null;
      counts.set(who, count + 1);
      return () => {
        const left = (counts.get(who) ?? 1) - 1;
        if (left === 0) counts.delete(who);
        else counts.set(who, left);
      };
    },
  };
}
