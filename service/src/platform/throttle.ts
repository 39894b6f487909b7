import type { Clock, Timer } from './clock.ts';

export interface ThrottledTask {
  trigger(): void;
  stop(): void;
}

/**
 * Runs `work` when triggered, one run at a time and with at least `pauseMs` between runs. Triggers
 * during a run or a pause cause one more run afterwards, so no trigger is lost. `work` must not
 * throw.
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
    trigger() {
      isTriggered = true;
      if (!isWaiting) void run();
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
