import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { AttemptResult } from '../record/attempt-result.ts';

/** So many are written at once without waiting for more. */
const BATCH_MIN = 64;
/**
 * What came while others were written goes together: the longer the store takes, the fewer rows would
 * else share its fixed costs (locks, commit), just when it is slow. Nobody waits longer for it.
 */
const BATCH_MAX = 256;
const WAIT_MS_MAX = 5;
const RETRY_MS = { first: 500, max: 10_000 };

/** Writes attempts down together: the first waits five milliseconds at most for others. */
export interface ResultWriter {
  /** Resolves when the attempt is written down. */
  add(finished: AttemptResult): Promise<void>;
}

/**
 * What cannot be written is tried again until it can: a store that is away must not lose what the
 * receivers answered. Leases that run out meanwhile make these attempts late, which costs a POST.
 */
export function createResultWriter(deps: {
  clock: Clock;
  log: Log;
  write(batch: readonly AttemptResult[]): Promise<void>;
}): ResultWriter {
  const { clock, log, write } = deps;
  let queue: { finished: AttemptResult; done: () => void }[] = [];
  let timer: Timer | null = null;
  let isWriting = false;
  const trouble = createBackoff({
    clock,
    minMs: RETRY_MS.first,
    maxMs: RETRY_MS.max,
    log: (facts) => log.warn(facts, 'answers of receivers could not be stored yet'),
  });

  function add(finished: AttemptResult): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ finished, done: resolve });
    schedule();
    return promise;
  }

  function schedule(): void {
    if (isWriting || queue.length === 0) return;
    if (queue.length >= BATCH_MIN) void flush();
    else timer ??= clock.setTimer(WAIT_MS_MAX, () => void flush());
  }

  async function flush(): Promise<void> {
    timer?.cancel();
    timer = null;
    if (isWriting) return;
    isWriting = true;
    const batch = queue.slice(0, BATCH_MAX);
    queue = queue.slice(BATCH_MAX);
    await writeUntilDone(batch.map(({ finished }) => finished));
    isWriting = false;
    for (const { done } of batch) done();
    schedule();
  }

  async function writeUntilDone(batch: readonly AttemptResult[]): Promise<void> {
    for (;;) {
      try {
        await write(batch);
        trouble.succeeded();
        return;
      } catch (error) {
        await clock.sleep(trouble.failed(error));
      }
    }
  }

  return { add };
}
