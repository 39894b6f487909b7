/** Number of events by name. */
export interface Counts {
  add(name: string, by?: number): void;
  all(): Record<string, number>;
}

export function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    add: (name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
    all: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
