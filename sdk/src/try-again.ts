import { ReadError } from './read-error.ts';

export interface TryAgain {
  /** Tries after the first. */
  retries: number;
  /** Longer than this nothing is waited for: a quota that is used up ends at midnight. */
  waitSecondsMax: number;
  wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  signal: AbortSignal | undefined;
}

/**
 * Repeats what failed for the moment: 429, 500, 502, 503 and 504 after the seconds that the answer
 * names, and what never got an answer. Nothing else gets better by itself.
 */
export async function tryAgain<T>(ask: () => Promise<T>, options: TryAgain): Promise<T> {
  const { retries, waitSecondsMax, wait, signal } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (failures >= retries || signal?.aborted === true || !isPassing(error)) throw error;
      const named = error instanceof ReadError ? error.retryAfterSeconds : null;
      if (named !== null && named > waitSecondsMax) throw error;
      const seconds = named ?? Math.min(waitSecondsMax, 2 ** failures / 2);
      // Many that were refused together do not come back together.
      await wait(seconds * 1_000 + Math.random() * 250, signal);
    }
  }
}

const PASSING = [429, 500, 502, 503, 504];

/** What never got an answer is a `TypeError` of the Fetch API. */
function isPassing(error: unknown): boolean {
  return error instanceof ReadError ? PASSING.includes(error.status) : error instanceof TypeError;
}

/** Ends early, with the signal's reason, when it is aborted. */
export function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    function end(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', end, { once: true });
  });
}
