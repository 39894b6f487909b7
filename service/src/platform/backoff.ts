import type { Clock } from './clock.ts';

/** How a loop lives with something that fails: it asks again ever later, and says so now and then. */
export interface Patience {
  /** Notes a failure, says it unless that was done within a minute, and tells how long to wait. */
  failed(error: unknown): number;
  /** It went well: the pause after the next failure is the shortest again. */
  well(): void;
}

const SAY_EVERY_MS = 60_000;

/**
 * The pause doubles from `firstMs` up to `maxMs`. `say` is told how many failures went unsaid since
 * it was told last.
 */
export function patience(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  firstMs: number;
  maxMs: number;
  say(facts: { err: unknown; unsaid: number }): void;
}): Patience {
  const { clock, firstMs, maxMs, say } = options;
  let pauseMs = firstMs;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return {
    failed(error) {
      if (clock.monotonicMs() - saidAtMs >= SAY_EVERY_MS) {
        say({ err: error, unsaid });
        saidAtMs = clock.monotonicMs();
        unsaid = 0;
      } else unsaid += 1;
      const waitMs = pauseMs;
      pauseMs = Math.min(maxMs, pauseMs * 2);
      return waitMs;
    },
    well() {
      pauseMs = firstMs;
    },
  };
}
