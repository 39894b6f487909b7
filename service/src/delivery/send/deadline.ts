import type { Clock, Timer } from '../../platform/clock.ts';
import type { AttemptError } from './attempt-error.ts';

export interface DeadlineOptions {
  ms: number;
  expire: () => AttemptError;
  parent?: AbortSignal;
}

/**
 * A time limit. Aborts after `ms` with the error from `expire`, or together with the parent for its
 * reason. A class, because its closures were the largest allocation of an attempt.
 */
export class Deadline {
  #controller: AbortController | null = null;
  #reason: AttemptError | null = null;
  #listener: ((reason: AttemptError) => void) | null = null;
  #detach: (() => void) | null = null;
  readonly #timer: Timer;

  constructor(clock: Clock, { ms, expire, parent }: DeadlineOptions) {
    this.#timer = clock.setTimer(ms, () => this.abort(expire()));
    if (parent !== undefined) this.#follow(parent);
  }

  /** Created on first use: most attempts reuse a connection and do not need it. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The reason for the end; null while it is running. */
  get reason(): AttemptError | null {
    return this.#reason;
  }

  /** Sets the one listener for the end; null removes it. */
  listen(listener: ((reason: AttemptError) => void) | null): void {
    this.#listener = listener;
  }

  abort(reason: AttemptError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }

  /** Clears the timer and detaches from the parent. Must always be called. */
  clear(): void {
    this.#timer.cancel();
    this.#detach?.();
  }

  #follow(parent: AbortSignal): void {
    const abort = (): void => this.abort(parent.reason as AttemptError);
    if (parent.aborted) return abort();
    parent.addEventListener('abort', abort);
    this.#detach = () => parent.removeEventListener('abort', abort);
  }
}

/** Settles as `work` does, or rejects with the signal's reason if that comes first. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
