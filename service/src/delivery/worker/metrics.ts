/** A worker's gauges, and its counters since startup. */
export interface WebhookMetrics {
  /** Number of attempts by outcome: `delivered`, `gone`, or the error code. */
  attempts: Record<string, number>;
  /** Number of attempts blocked because of their address, by address class. */
  blockedAddresses: Record<string, number>;
  /** Number of endpoint alerts by kind. */
  alerts: Record<string, number>;
  inFlight: number;
  /** Number of attempts with an unknown outcome. */
  leaseExpiries: number;
  /** Number of deliveries that were claimed and then released before the first byte. */
  released: number;
  /** Times from the commit of a change to its first POST, and to its 2xx response. */
  changeToPost: Histogram;
  changeToAck: Histogram;
  /**
   * Time by which the process's clock is ahead of the database's. Null before the first comparison.
   */
  clockOffsetMs: number | null;
}

/** Number of durations up to each bound. The last number is for durations above all bounds. */
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
  const boundIndex = histogram.boundsMs.findIndex((bound) => durationMs <= bound);
  const index = boundIndex === -1 ? histogram.boundsMs.length : boundIndex;
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
