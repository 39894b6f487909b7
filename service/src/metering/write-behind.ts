import type { Clock, Timer } from '../platform/clock.ts';
import { createBackoff } from '../platform/backoff.ts';

/** Writes in the background what has gathered, one write at a time. */
export interface WriteBehind {
  /** There is something to write; it will be within the delay when the store is well. */
  wake(): void;
  /** Writes what is left and resolves when that is done or has failed. */
  stop(): Promise<void>;
}

const DELAY_MS = 250;
const RETRY_MS = { first: 1_000, max: 30_000 };

/**
 * `write` takes what has gathered before its first wait, and puts it back before it rejects; it is
 * then called again, ever later while it goes on failing. It says whether more is waiting.
 * `onFailure` is told once a minute at most.
 */
export function writeBehind(deps: {
  clock: Clock;
  write(): Promise<{ isMore: boolean }>;
  onFailure(error: unknown): void;
}): WriteBehind {
  const { clock, write, onFailure } = deps;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  const trouble = createBackoff({
    clock,
    minMs: RETRY_MS.first,
    maxMs: RETRY_MS.max,
    log: ({ err }) => onFailure(err),
  });

  function schedule(delayMs: number): void {
    if (isStopped) return;
    timer ??= clock.setTimer(delayMs, () => {
      timer = null;
      running = run();
    });
  }

  async function run(): Promise<void> {
    isWoken = false;
    let delayMs: number | null;
    try {
      const { isMore } = await write();
      trouble.succeeded();
      delayMs = isMore || isWoken ? DELAY_MS : null;
    } catch (error) {
      delayMs = trouble.failed(error);
    }
    running = null;
    if (delayMs !== null) schedule(delayMs);
  }

  return {
    wake() {
      isWoken = true;
      if (running === null) schedule(DELAY_MS);
    },
    async stop() {
      isStopped = true;
      timer?.cancel();
      await running;
      await run();
    },
  };
}
