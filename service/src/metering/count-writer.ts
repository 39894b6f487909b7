import { createBackoff } from '../platform/backoff.ts';
import { Batcher } from '../platform/batcher.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { LoopReporter } from '../platform/loop-health.ts';

const RETRY_MS = { min: 250, max: 10_000 };

/**
 * Writes counts in shared commits and reports to each waiting request whether its count was stored.
 *
 * A failed write fails every waiting request immediately, because a quick 503 is better than no
 * response. Its items are written again, with their current values, by the next commit or after a
 * growing delay.
 */
export class CountWriter<T> {
  readonly #clock: Clock;
  readonly #batcher: Batcher<T>;
  readonly #backoff: ReturnType<typeof createBackoff>;
  readonly #unsaved = new Set<T>();
  #delayMs = RETRY_MS.min;
  #timer: Timer | null = null;
  #isStopped = false;

  /** `write` must read the items before its first await. `onError` runs at most once a minute. */
  constructor(options: {
    clock: Clock;
    write(items: ReadonlySet<T>): Promise<void>;
    health?: LoopReporter | undefined;
    onError(error: unknown): void;
    timeoutMs: number;
  }) {
    const { clock, write, health, onError, timeoutMs } = options;
    this.#clock = clock;
    this.#backoff = createBackoff({
      clock,
      minMs: RETRY_MS.min,
      maxMs: RETRY_MS.max,
      health,
      log: ({ err }) => onError(err),
    });
    this.#batcher = new Batcher({
      clock,
      run: (items) => this.#write(items, write),
      maxSize: Infinity,
      maxWaitMs: 0,
      timeoutMs,
    });
  }

  /**
   * Resolves to true once a write that began after this call has been committed, or to false if the
   * write failed.
   */
  save(item: T): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    return this.#batcher.add(item).then(
      () => true,
      () => {
        this.saveLater(item);
        return false;
      },
    );
  }

  /** Writes the item with the next commit, and within 250 ms while the store responds. */
  saveLater(item: T): void {
    this.#unsaved.add(item);
    if (this.#isStopped) return;
    this.#timer ??= this.#clock.setTimer(this.#delayMs, () => this.#flush());
  }

  /**
   * Rejects new items. Resolves when every pending item has been written or its write has failed.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#flush();
    await this.#batcher.stop();
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (const item of this.#unsaved) this.#batcher.push(item);
    this.#unsaved.clear();
  }

  async #write(
    items: readonly T[],
    write: (items: ReadonlySet<T>) => Promise<void>,
  ): Promise<void> {
    const batch = new Set([...this.#unsaved, ...items]);
    this.#unsaved.clear();
    try {
      await write(batch);
      this.#delayMs = RETRY_MS.min;
      this.#backoff.succeeded();
    } catch (error) {
      this.#delayMs = this.#backoff.failed(error);
      for (const item of batch) this.saveLater(item);
      throw error;
    }
  }
}
