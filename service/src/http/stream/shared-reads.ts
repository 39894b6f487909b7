import { createBackoff } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

const RETRY_MS = { minMs: 1_000, maxMs: 10_000 };

/**
 * Reads for all streams of the process, which share one backoff. After a failure none of them reads
 * until the delay is over, and an outage is logged once, however many streams are open.
 */
export class SharedReads {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #resumesAtMs = Number.NEGATIVE_INFINITY;
  #isLogged = false;

  constructor({ clock, log }: { clock: Pick<Clock, 'monotonicMs'>; log: Pick<Log, 'warn'> }) {
    this.#clock = clock;
    this.#backoff = createBackoff({
      clock,
      ...RETRY_MS,
      log: ({ err }) => {
        if (this.#isLogged) return;
        this.#isLogged = true;
        log.warn({ event: 'stream.read_failed', err }, 'cannot read changes, streams are paused');
      },
    });
  }

  get isPaused(): boolean {
    return this.#clock.monotonicMs() < this.#resumesAtMs;
  }

  /** Rejects without reading while reads are paused. Pass every failure to `failed`. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.isPaused) throw new Error('reads are paused after a failure');
    const result = await read();
    this.#resumesAtMs = Number.NEGATIVE_INFINITY;
    this.#isLogged = false;
    this.#backoff.succeeded();
    return result;
  }

  /** Returns the milliseconds until the next read. Failures during a pause do not extend it. */
  failed(error: unknown): number {
    const nowMs = this.#clock.monotonicMs();
    if (!this.isPaused) this.#resumesAtMs = nowMs + this.#backoff.failed(error);
    return this.#resumesAtMs - nowMs;
  }
}
