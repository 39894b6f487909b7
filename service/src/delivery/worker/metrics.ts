/** Counts since the process started, and what is so now. */
export interface WebhookMetrics {
  /** Attempts by what they came to: `delivered`, `gone`, or the code of the failure. */
  attempts: Record<string, number>;
  /** Attempts that were refused for where they lead, by the class of the address. */
  blockedAddresses: Record<string, number>;
  /** What owners of endpoints were told, by kind. */
  alerts: Record<string, number>;
  inFlight: number;
  /** Attempts whose outcome nobody knows. */
  leaseExpiries: number;
  /** Claimed and given back without a byte sent. */
  released: number;
  /** From the commit of a change to the first POST of it, and to the first 2xx. */
  changeToPost: Histogram;
  changeToAck: Histogram;
  /** How far the service's clock is from the database's; null before it was measured. */
  clockOffsetMs: number | null;
}

/** How many took up to so many milliseconds; the last count is of those that took longer. */
export interface Histogram {
  boundsMs: readonly number[];
  counts: number[];
  sumMs: number;
}

const BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 300_000];

export function newMetrics(): WebhookMetrics {
  return {
    attempts: {},
    blockedAddresses: {},
    alerts: {},
    inFlight: 0,
    leaseExpiries: 0,
    released: 0,
    changeToPost: newHistogram(),
    changeToAck: newHistogram(),
    clockOffsetMs: null,
  };
}

export function observe(histogram: Histogram, durationMs: number): void {
  const place = histogram.boundsMs.findIndex((bound) => durationMs <= bound);
  const index = place === -1 ? histogram.boundsMs.length : place;
  histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
  histogram.sumMs += durationMs;
}

function newHistogram(): Histogram {
  return {
    boundsMs: BOUNDS_MS,
    counts: Array.from({ length: BOUNDS_MS.length + 1 }, () => 0),
    sumMs: 0,
  };
}
