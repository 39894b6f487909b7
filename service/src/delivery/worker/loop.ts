import { createBackoff } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { LoopReporter } from '../../platform/loop-health.ts';
import { ClockUntrustedError } from './worker-clock.ts';

const BACKOFF_MS = { min: 1_000, max: 30_000 };

export interface Loop {
  /** Name used in the log. */
  name: string;
  health?: LoopReporter | undefined;
  /** Woken up when there may be work. */
  wakeUp: WakeUp;
  /** Maximum time between runs without a wake-up. */
  intervalMs: number;
  /** Returns true if there is more work right now. */
  step(): Promise<boolean>;
}

/**
 * Repeats a step until the loop is stopped. The next step runs immediately if there is more work,
 * and otherwise after a wake-up or the interval.
 */
export async function runLoop(
  { clock, log, stopping }: { clock: Clock; log: Log; stopping: AbortSignal },
  { name, health, wakeUp, intervalMs, step }: Loop,
): Promise<void> {
  const backoff = createBackoff({
    clock,
    minMs: BACKOFF_MS.min,
    maxMs: BACKOFF_MS.max,
    health,
    log: (failure) =>
      log.warn(
        { event: 'delivery.loop_failed', ...failure, loop: name },
        'webhook worker: database error, retrying',
      ),
  });
  while (!stopping.aborted) {
    let hasMore = false;
    try {
      hasMore = await step();
      backoff.succeeded();
    } catch (error) {
      // The maintenance loop will compare the clock and then wake this loop.
      if (error instanceof ClockUntrustedError) health?.failed(error);
      else {
        const delayMs = backoff.failed(error);
        await clock.sleep(stopping.aborted ? 0 : delayMs, stopping);
      }
    }
    if (!hasMore && !stopping.aborted) await wakeUp.wait(intervalMs);
  }
}

/** Lets a loop wait for a wake-up or a timeout. */
export class WakeUp {
  readonly #clock: Clock;
  #isPending = false;
  #resolve: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#isPending = true;
    this.#resolve?.();
  }

  /**
   * Resolves at the next wake-up or after the timeout. Resolves immediately if there was a wake-up
   * since the last wait.
   */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isPending) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resolve = resolve;
      const timer = this.#clock.setTimer(timeoutMs, resolve);
      await promise;
      timer.cancel();
      this.#resolve = null;
    }
    this.#isPending = false;
  }
}
