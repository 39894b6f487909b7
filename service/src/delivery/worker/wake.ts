import type { Clock } from '../../platform/clock.ts';

/** Lets a loop wait for a hint, or for some time. */
export interface WakeUp {
  wake(): void;
  /** Resolves at the next hint, at once when one came since the last wait, or after the time. */
  wait(atMostMs: number): Promise<void>;
}

export function createWakeUp(clock: Clock): WakeUp {
  let isHinted = false;
  let resolveWait: (() => void) | null = null;

  function wake(): void {
    isHinted = true;
    resolveWait?.();
  }

  async function wait(atMostMs: number): Promise<void> {
    if (!isHinted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      resolveWait = resolve;
      const timer = clock.setTimer(atMostMs, resolve);
      await promise;
      timer.cancel();
      resolveWait = null;
    }
    isHinted = false;
  }

  return { wake, wait };
}
