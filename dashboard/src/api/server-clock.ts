/**
 * Lower and upper bounds, in milliseconds, for how far the service's clock is ahead of the
 * browser's.
 */
export interface Bounds {
  low: number;
  high: number;
}

const SECOND_MS = 1_000;
/**
 * Larger clock offsets are ignored, because they mean that the service was deliberately set to
 * another date.
 */
const OFF_MS_MAX = 10 * 60_000;

let clockBounds: Bounds = { low: -Infinity, high: Infinity };

/**
 * Returns the current time according to the service's clock, so that timestamps from the service
 * never appear to be in the future.
 */
export function serverNow(): number {
  return Date.now() + clockOffset(clockBounds);
}

/**
 * Updates the bounds from the `Date` header of a response. `sentAt` and `arrivedAt` are browser
 * times.
 */
export function recordServerDate(date: string | null, sentAt: number, arrivedAt: number): void {
  const serverDate = Date.parse(date ?? '');
  if (Number.isFinite(serverDate))
    clockBounds = narrow(clockBounds, serverDate, { sentAt, arrivedAt });
}

/** Narrows the bounds with a response's date, which the service truncates to the second. */
export function narrow(
  bounds: Bounds,
  serverDate: number,
  { sentAt, arrivedAt }: { sentAt: number; arrivedAt: number },
): Bounds {
  const latest = { low: serverDate - arrivedAt, high: serverDate + SECOND_MS - sentAt };
  const low = Math.max(bounds.low, latest.low);
  const high = Math.min(bounds.high, latest.high);
  // The bounds contradict each other, so one of the clocks was adjusted. Only the latest response
  // is still valid.
  return low > high ? latest : { low, high };
}

/** Returns the offset to add to the browser's clock, or 0 if the two clocks might agree. */
export function clockOffset({ low, high }: Bounds): number {
  if (low <= 0 && high >= 0) return 0;
  const middle = (low + high) / 2;
  return Math.abs(middle) <= OFF_MS_MAX ? middle : 0;
}
