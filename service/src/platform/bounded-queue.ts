/** Thrown for work that finds the queue full, or that more important work displaced from it. */
export class QueueFullError extends Error {
  constructor() {
    super('too much work is waiting');
    this.name = 'QueueFullError';
  }
}

export type Priority = 'normal' | 'high';

interface WaitingWork {
  priority: Priority;
  start: () => void;
  reject: (error: QueueFullError) => void;
}

/**
 * Runs expensive work a few at a time. The rest waits in order of arrival, high priority first.
 * When the queue is full, high priority displaces the newest waiting work of normal priority.
 */
export class BoundedQueue {
  readonly #concurrency: number;
  readonly #waitingMax: number;
  readonly #waiting: WaitingWork[] = [];
  #running = 0;
  #rejected = 0;

  constructor(limits: { concurrency: number; waitingMax: number }) {
    this.#concurrency = limits.concurrency;
    this.#waitingMax = limits.waitingMax;
  }

  /** Number of pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Number of pieces of work that were rejected because the queue was full. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Resolves with the result of `work`. Rejects with `QueueFullError` if it cannot wait. */
  async run<T>(work: () => Promise<T>, priority: Priority = 'normal'): Promise<T> {
    if (this.#running >= this.#concurrency) await this.#wait(priority);
    else this.#running++;
    try {
      return await work();
    } finally {
      // The next work takes over the place, so that nothing that arrives now overtakes it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next.start();
    }
  }

  #wait(priority: Priority): Promise<void> {
    return new Promise((resolve, reject) => {
      const own: WaitingWork = { priority, start: resolve, reject };
      const firstNormal = this.#waiting.findIndex((work) => work.priority === 'normal');
      const place =
        priority === 'normal' || firstNormal === -1 ? this.#waiting.length : firstNormal;
      this.#waiting.splice(place, 0, own);
      if (this.#waiting.length > this.#waitingMax) {
        this.#rejected += 1;
        this.#waiting.pop()?.reject(new QueueFullError());
      }
    });
  }
}
