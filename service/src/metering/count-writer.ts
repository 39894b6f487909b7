import type { Clock, Timer } from '../platform/clock.ts';
import { createBackoff } from '../platform/backoff.ts';

/** One write for everybody who waits: while one runs, the next one gathers. */
export interface GroupCommit<T> {
  /** True once a write that began after this call has been kept; false when it was not. */
  join(item: T): Promise<boolean>;
  /** Writes the item with the next commit, or after `delayMs` at the latest; nobody waits. */
  joinLater(item: T): void;
  /** Takes no more, and resolves when all that was given is written or has failed to be. */
  stop(): Promise<void>;
}

const RETRY_MS_MAX = 10_000;

interface Batch<T> {
  items: Set<T>;
  waiting: ((isKept: boolean) => void)[];
}

/**
 * `write` reads the items before its first wait. A write that takes longer than `limitMs` fails all
 * who wait, and all who come until it ends, at once: an answer of "not now" is better than none. It
 * may still land; its items are written again behind it, as they are then: with the next commit that
 * somebody waits for, else ever later. `onFailure` is told once a minute at most.
 */
export function groupCommit<T>(deps: {
  clock: Clock;
  write(items: ReadonlySet<T>): Promise<void>;
  onFailure(error: unknown): void;
  delayMs: number;
  limitMs: number;
}): GroupCommit<T> {
  const { clock, write, onFailure, delayMs, limitMs } = deps;
  let next: Batch<T> = emptyBatch();
  let running: Promise<void> | null = null;
  let isStuck = false;
  let retry: Timer | null = null;
  let isStopped = false;
  const trouble = createBackoff({
    clock,
    minMs: delayMs,
    maxMs: RETRY_MS_MAX,
    log: ({ err }) => onFailure(err),
  });
  let pauseMs = delayMs;

  function pump(): void {
    if (running === null && next.items.size > 0) running = run();
  }

  /** Ends in the same step in which it finds nothing left, so no item falls between two runs. */
  async function run(): Promise<void> {
    do {
      const batch = next;
      next = emptyBatch();
      if (await writeOnce(batch)) continue;
      // What could not be written is tried again with what comes next.
      for (const item of batch.items) next.items.add(item);
      if (next.waiting.length > 0) continue;
      later(pauseMs);
      break;
    } while (next.items.size > 0);
    running = null;
  }

  async function writeOnce(batch: Batch<T>): Promise<boolean> {
    const timer = clock.setTimer(limitMs, () => {
      isStuck = true;
      settle(batch, false);
      settle(next, false);
    });
    try {
      await write(batch.items);
      const isKept = !isStuck;
      settle(batch, isKept);
      trouble.succeeded();
      pauseMs = delayMs;
      return isKept;
    } catch (error) {
      pauseMs = trouble.failed(error);
      settle(batch, false);
      return false;
    } finally {
      isStuck = false;
      timer.cancel();
    }
  }

  function later(waitMs: number): void {
    if (isStopped) return;
    retry ??= clock.setTimer(waitMs, () => {
      retry = null;
      pump();
    });
  }

  return {
    join(item) {
      if (isStuck || isStopped) return Promise.resolve(false);
      return new Promise((resolve) => {
        next.items.add(item);
        next.waiting.push(resolve);
        pump();
      });
    },
    joinLater(item) {
      next.items.add(item);
      if (running === null) later(pauseMs);
    },
    async stop() {
      isStopped = true;
      retry?.cancel();
      // A write under way may have begun before the last item came: then a second one takes it.
      await running;
      pump();
      await running;
    },
  };
}

function emptyBatch<T>(): Batch<T> {
  return { items: new Set(), waiting: [] };
}

function settle(batch: Batch<unknown>, isKept: boolean): void {
  for (const resolve of batch.waiting.splice(0)) resolve(isKept);
}
