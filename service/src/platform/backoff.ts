import type { Clock } from './clock.ts';

/** How a loop lives with something that fails: it asks again ever later, and says so now and then. */
export interface Backoff {
  /** Notes a failure, says it unless that was done within a minute, and tells how long to wait. */
  failed(error: unknown): number;
  /** It went well: the pause after the next failure is the shortest again. */
  succeeded(): void;
}

const LOG_INTERVAL_MS = 60_000;

/**
 * The pause doubles from `firstMs` up to `maxMs`. `say` is told how many failures went unsaid since
 * it was told last.
 */
export function createBackoff(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  minMs: number;
  maxMs: number;
  log(facts: { err: unknown; suppressed: number }): void;
}): Backoff {
  const { clock, minMs, maxMs, log } = options;
  let delayMs = minMs;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return {
    failed(error) {
      if (clock.monotonicMs() - loggedAtMs >= LOG_INTERVAL_MS) {
        log({ err: error, suppressed });
        loggedAtMs = clock.monotonicMs();
        suppressed = 0;
      } else suppressed += 1;
      const waitMs = delayMs;
      delayMs = Math.min(maxMs, delayMs * 2);
      return waitMs;
    },
    succeeded() {
      delayMs = minMs;
    },
  };
}
