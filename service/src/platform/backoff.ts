import type { Clock } from './clock.ts';
import type { LoopReporter } from './loop-health.ts';

/** Exponential backoff for a retry loop, with failures logged at most once a minute. */
export interface Backoff {
  /** Records a failure and returns the delay in milliseconds before the next attempt. */
  failed(error: unknown): number;
  /** Resets the delay to `minMs`. */
  succeeded(): void;
}

const LOG_INTERVAL_MS = 60_000;

/**
 * Creates a backoff whose delay doubles from `minMs` up to `maxMs`. `log` receives the number of
 * failures suppressed since its last call.
 */
export function createBackoff(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  minMs: number;
  maxMs: number;
  /** Receives every failure and success. */
  health?: LoopReporter | undefined;
  log(fields: { err: unknown; suppressed: number }): void;
}): Backoff {
  const { clock, minMs, maxMs, health, log } = options;
  let delayMs = minMs;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return {
    failed(error) {
      health?.failed(error);
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
      health?.succeeded();
      delayMs = minMs;
    },
  };
}
