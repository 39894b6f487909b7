import { MINUTE_MS } from './quota-window.ts';

/**
 * Exact times of a customer's requests in the last minute, oldest first. The times are exact
 * because two fixed windows would admit twice the limit within one minute, and a weighted pair of
 * windows would reject a client that paces itself perfectly.
 *
 * Times are milliseconds on a monotonic clock. A request counts for 60 seconds, excluding the
 * instant 60 seconds later.
 */
export interface MinuteLog {
  /** Returns the number of requests that count at the given time. */
  used(atMs: number): number;
  /** Returns the milliseconds until the oldest request stops counting, or 0 if there is none. */
  freeMs(atMs: number): number;
  /** Returns the times of the requests that count at the given time, oldest first. */
  times(atMs: number): number[];
  add(atMs: number): void;
  /** Removes one request with the given time, if present. */
  remove(atMs: number): void;
  clear(): void;
}

const CAPACITY_AT_FIRST = 8;

export function minuteLog(): MinuteLog {
  let times = new Float64Array(CAPACITY_AT_FIRST);
  let head = 0;
  let size = 0;

  function at(index: number): number {
    return times[(head + index) % times.length] ?? 0;
  }

  function dropOld(atMs: number): void {
    while (size > 0 && atMs - at(0) >= MINUTE_MS) {
      head = (head + 1) % times.length;
      size -= 1;
    }
  }

  function rebuild(admissions: readonly number[], capacity: number): void {
    times = new Float64Array(capacity);
    times.set(admissions);
    head = 0;
    size = admissions.length;
  }

  function listed(): number[] {
    return Array.from({ length: size }, (_, index) => at(index));
  }

  return {
    used(atMs) {
      dropOld(atMs);
      return size;
    },
    freeMs(atMs) {
      dropOld(atMs);
      return size === 0 ? 0 : MINUTE_MS - (atMs - at(0));
    },
    times(atMs) {
      dropOld(atMs);
      return listed();
    },
    add(atMs) {
      if (size === times.length) rebuild(listed(), times.length * 2);
      times[(head + size) % times.length] = atMs;
      size += 1;
    },
    remove(atMs) {
      const admissions = listed();
      const index = admissions.lastIndexOf(atMs);
      if (index >= 0) rebuild(admissions.toSpliced(index, 1), times.length);
    },
    clear() {
      size = 0;
    },
  };
}
