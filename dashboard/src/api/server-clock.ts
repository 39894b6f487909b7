/** How far ahead the service's clock may be of the one here, in milliseconds: it is in between. */
export interface Bounds {
  low: number;
  high: number;
}

const SECOND_MS = 1_000;
/** A service that is set to another day by hand says nothing about the clock here. */
const OFF_MS_MAX = 10 * 60_000;

let known: Bounds = { low: -Infinity, high: Infinity };

/** Now, by the service's clock as far as it is known: what it dates must not lie in the future here. */
export function serverNow(): number {
  return Date.now() + correctionOf(known);
}

/** Learns from the `Date` of an answer; both instants are of the clock here. */
export function noteDate(date: string | null, sentAt: number, arrivedAt: number): void {
  const told = Date.parse(date ?? '');
  if (Number.isFinite(told)) known = narrow(known, told, { sentAt, arrivedAt });
}

/** What is known after an answer that was dated `told`, to the whole second below. */
export function narrow(
  bounds: Bounds,
  told: number,
  { sentAt, arrivedAt }: { sentAt: number; arrivedAt: number },
): Bounds {
  const seen = { low: told - arrivedAt, high: told + SECOND_MS - sentAt };
  const low = Math.max(bounds.low, seen.low);
  const high = Math.min(bounds.high, seen.high);
  // One of the clocks was set meanwhile: only the newest answer counts.
  return low > high ? seen : { low, high };
}

/** What is added to the clock here; nothing as long as the two may agree. */
export function correctionOf({ low, high }: Bounds): number {
  if (low <= 0 && high >= 0) return 0;
  const middle = (low + high) / 2;
  return Math.abs(middle) <= OFF_MS_MAX ? middle : 0;
}
