import { ReadError } from './read-error.ts';

export interface RetryOptions {
  /** Maximum number of retries after the first attempt. */
  retries: number;
  /**
   * Longest delay to wait for, in seconds. A longer delay is not waited for; an exhausted quota,
   * for example, lasts until midnight.
   */
  waitSecondsMax: number;
  wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  signal: AbortSignal | undefined;
}

/**
 * Retries temporary failures: requests that got no response, and statuses 429, 500, 502, 503 and
 * 504 after the number of seconds in `Retry-After`. All other failures are permanent.
 */
export async function retry<T>(send: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, waitSecondsMax, wait, signal } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await send();
    } catch (error) {
      if (failures >= retries || signal?.aborted === true || !isTemporary(error)) throw error;
      const requested = error instanceof ReadError ? error.retryAfterSeconds : null;
      if (requested !== null && requested > waitSecondsMax) throw error;
      const seconds = requested ?? Math.min(waitSecondsMax, 2 ** failures / 2);
      // Jitter prevents clients that were rejected at the same time from retrying at the same time.
      await wait(seconds * 1_000 + Math.random() * 250, signal);
    }
  }
}

const TEMPORARY = [429, 500, 502, 503, 504];

/**
 * Checks whether a failure is temporary. The Fetch API throws a `TypeError` if it gets no response.
 */
export function isTemporary(error: unknown): boolean {
  return error instanceof ReadError ? TEMPORARY.includes(error.status) : error instanceof TypeError;
}

/** Waits for the given time. Rejects with the signal's reason if the signal is aborted. */
export function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', abort, { once: true });
  });
}
