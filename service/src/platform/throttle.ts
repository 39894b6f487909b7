import type { Clock, Timer } from './clock.ts';

/** Something that is done when hinted at: at once, and again at the end of a pause. */
export interface NotTooOften {
  hint(): void;
  stop(): void;
}

/**
 * Does `work` at a hint, one at a time and with at least `pauseMs` between two. Many hints meanwhile
 * are one, and none is lost: what is hinted at while it runs is done after it. `work` must not throw.
 */
export function notTooOften(
  clock: Pick<Clock, 'setTimer'>,
  pauseMs: number,
  work: () => Promise<void>,
): NotTooOften {
  let isBusy = false;
  let isHinted = false;
  let isStopped = false;
  let timer: Timer | null = null;

  function hint(): void {
    isHinted = true;
    if (!isBusy) void run();
  }

  async function run(): Promise<void> {
    if (isStopped) return;
    isBusy = true;
    isHinted = false;
    await work();
    if (isStopped) return;
    timer = clock.setTimer(pauseMs, () => {
      isBusy = false;
      if (isHinted) void run();
    });
  }

  return {
    hint,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
