import type { Clock, Timer } from './clock.ts';

/** Something that is done when hinted at: at once, and again at the end of a pause. */
export interface ThrottledTask {
  trigger(): void;
  stop(): void;
}

/**
 * Does `work` at a hint, one at a time and with at least `pauseMs` between two. Many hints meanwhile
 * are one, and none is lost: what is hinted at while it runs is done after it. `work` must not throw.
 */
export function throttle(
  clock: Pick<Clock, 'setTimer'>,
  pauseMs: number,
  work: () => Promise<void>,
): ThrottledTask {
  let isWaiting = false;
  let isTriggered = false;
  let isStopped = false;
  let timer: Timer | null = null;

  function trigger(): void {
    isTriggered = true;
    if (!isWaiting) void run();
  }

  async function run(): Promise<void> {
    if (isStopped) return;
    isWaiting = true;
    isTriggered = false;
    await work();
    if (isStopped) return;
    timer = clock.setTimer(pauseMs, () => {
      isWaiting = false;
      if (isTriggered) void run();
    });
  }

  return {
    trigger,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
