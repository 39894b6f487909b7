import { createBackoff } from './backoff.ts';
import type { Clock, Timer } from './clock.ts';
import type { LoopReporter } from './loop-health.ts';

export interface BatcherOptions<T, R> {
  clock: Pick<Clock, 'setTimer' | 'sleep' | 'monotonicMs'>;
  /** Handles one batch. Returns one result per item in the same order, or nothing. */
  run(items: readonly T[]): Promise<readonly R[] | void>;
  /** Maximum number of items per batch. */
  maxSize: number;
  /**
   * Maximum time that the first item in a batch waits for more items. With 0, a batch starts
   * immediately.
   */
  maxWaitMs: number;
  /** Number of waiting items that causes a batch to start early. Default: `maxSize`. */
  flushSize?: number;
  /**
   * Retries a failed batch with backoff until it succeeds. If omitted, the items in a failed batch
   * are rejected.
   */
  retry?: { minMs: number; maxMs: number };
  /**
   * Maximum duration of a batch. When a batch exceeds it, all waiting items are rejected, and so
   * are new items until the batch ends. The next batch still starts only when this one has ended.
   */
  timeoutMs?: number;
  /** Receives the outcome of every batch. */
  health?: LoopReporter | undefined;
  /** Receives failures, at most once a minute. */
  onError?(failure: { err: unknown; suppressed: number }): void;
}

/**
 * Collects items into batches and runs one batch at a time. While a batch runs, the next one fills.
 * Many small writes therefore share one round trip and one commit.
 */
export class Batcher<T, R = void> {
  readonly #options: BatcherOptions<T, R>;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #pending: Pending<T, R>[] = [];
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #timeout: Error | null = null;
  readonly #stopped = new AbortController();

  constructor(options: BatcherOptions<T, R>) {
    const { clock, retry, health, onError } = options;
    this.#options = options;
    this.#backoff = createBackoff({
      clock,
      minMs: retry?.minMs ?? 0,
      maxMs: retry?.maxMs ?? 0,
      health,
      log: (failure) => onError?.(failure),
    });
  }

  /** Adds an item and resolves with its result once its batch has run. */
  add(item: T): Promise<R> {
    if (this.#timeout !== null) return Promise.reject(this.#timeout);
    return new Promise((resolve, reject) => this.#push({ item, resolve, reject }));
  }

  /** Adds an item without waiting for its result. */
  push(item: T): void {
    this.#push({ item });
  }

  /** Runs all pending items once more, without further retries, and then resolves. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#timer?.cancel();
    while (this.#running !== null || this.#pending.length > 0) {
      await (this.#running ?? this.#start());
    }
  }

  #push(pending: Pending<T, R>): void {
    this.#pending.push(pending);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#running !== null || this.#pending.length === 0) return;
    const { clock, maxWaitMs, maxSize, flushSize = maxSize } = this.#options;
    const isNow = maxWaitMs === 0 || this.#stopped.signal.aborted;
    if (isNow || this.#pending.length >= flushSize) void this.#start();
    else this.#timer ??= clock.setTimer(maxWaitMs, () => void this.#start());
  }

  #start(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const batch = this.#pending.splice(0, this.#options.maxSize);
    const timer = this.#startTimeout(batch);
    this.#running = this.#run(batch).finally(() => {
      timer?.cancel();
      this.#timeout = null;
      this.#running = null;
      this.#schedule();
    });
    return this.#running;
  }

  #startTimeout(batch: readonly Pending<T, R>[]): Timer | null {
    const { clock, timeoutMs } = this.#options;
    if (timeoutMs === undefined) return null;
    return clock.setTimer(timeoutMs, () => {
      this.#timeout = new Error(`a batch has run for more than ${timeoutMs} ms`);
      for (const { reject } of [...batch, ...this.#pending]) reject?.(this.#timeout);
    });
  }

  async #run(batch: readonly Pending<T, R>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    for (;;) {
      try {
        const results = await this.#options.run(items);
        this.#backoff.succeeded();
        batch.forEach(({ resolve }, index) => resolve?.(results?.[index] as R));
        return;
      } catch (error) {
        const waitMs = this.#backoff.failed(error);
        if (this.#options.retry === undefined || this.#stopped.signal.aborted) {
          for (const { reject } of batch) reject?.(error);
          return;
        }
        await this.#options.clock.sleep(waitMs, this.#stopped.signal);
      }
    }
  }
}

interface Pending<T, R> {
  item: T;
  resolve?: (result: R) => void;
  reject?: (error: unknown) => void;
}
