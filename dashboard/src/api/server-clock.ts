/** Bounds, in milliseconds, of how far the service's clock is ahead of the browser's. */
export interface Bounds {
  low: number;
  high: number;
}

const SECOND_MS = 1_000;
/** Larger offsets are ignored: the service was deliberately set to another date. */
const OFF_MS_MAX = 10 * 60_000;

let clockBounds: Bounds = { low: -Infinity, high: Infinity };

/**
 * The current time by the service's clock. Timestamps from the service must not be in the future
 * here.
 */
export function serverNow(): number {
  return Date.now() + clockOffset(clockBounds);
}

/**
 * Updates the bounds from the `Date` header of a response. Both instants are by the browser's
 * clock.
 */
export function recordServerDate(date: string | null, sentAt: number, arrivedAt: number): void {
  const serverDate = Date.parse(date ?? '');
  if (Number.isFinite(serverDate))
    clockBounds = narrow(clockBounds, serverDate, { sentAt, arrivedAt });
}

/** Narrows the bounds by a response dated `date`, which is truncated to the second. */
export function narrow(
  bounds: Bounds,
  serverDate: number,
  { sentAt, arrivedAt }: { sentAt: number; arrivedAt: number },
): Bounds {
  const latest = { low: serverDate - arrivedAt, high: serverDate + SECOND_MS - sentAt };
  const low = Math.max(bounds.low, latest.low);
  const high = Math.min(bounds.high, latest.high);
  // A clock was adjusted, so only the latest response counts.
  return low > high ? latest : { low, high };
}

/** The offset to add to the browser's clock; 0 as long as the two may agree. */
export function clockOffset({ low, high }: Bounds): number {
  if (low <= 0 && high >= 0) return 0;
  const middle = (low + high) / 2;
  return Math.abs(middle) <= OFF_MS_MAX ? middle : 0;
}
