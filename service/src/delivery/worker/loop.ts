import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { createWakeUp } from './wake.ts';
import { ClockUntrustedError } from './worker-clock.ts';

const TROUBLE_MS = { first: 1_000, max: 30_000 };

/** Something that is done again and again. */
export interface Loop {
  /** As the log calls it. */
  name: string;
  /** Woken when there may be more to do. */
  wakeUp: ReturnType<typeof createWakeUp>;
  /** So long after the last step it is done without a hint. */
  intervalMs: number;
  /** True: there is more to do at once. */
  step(): Promise<boolean>;
}

/**
 * Runs a step again and again until it is stopped: at once while it says there is more, else after a
 * hint.
 */
export async function runLoop(
  { clock, log, stopping }: { clock: Clock; log: Log; stopping: AbortSignal },
  { name, wakeUp: hint, intervalMs: everyMs, step }: Loop,
): Promise<void> {
  const trouble = createBackoff({
    clock,
    minMs: TROUBLE_MS.first,
    maxMs: TROUBLE_MS.max,
    log: (facts) =>
      log.warn(
        {
          ...facts,
          loop: name,
        },
        'webhooks: the store refused; tried again',
      ),
  });
  while (!stopping.aborted) {
    let hasMore = false;
    try {
      hasMore = await step();
      trouble.succeeded();
    } catch (error) {
      // It is compared next, and whoever waits for it is told.
      if (!(error instanceof ClockUntrustedError)) {
        const waitMs = trouble.failed(error);
        await clock.sleep(stopping.aborted ? 0 : waitMs, stopping);
      }
    }
    if (!hasMore && !stopping.aborted) await hint.wait(everyMs);
  }
}
