import type { Clock, Timer } from '../../platform/clock.ts';
import type { AttemptError } from './attempt-error.ts';

export interface DeadlineOptions {
  ms: number;
  expire: () => AttemptError;
  parent?: AbortSignal;
}

/**
 * A time limit. Aborts with the error from `expire` after `ms`, or with the parent's reason when
 * the parent aborts. Implemented as a class, because closures were the largest allocation per
 * attempt.
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

  /** Created on first use, because most attempts reuse a connection and do not need the signal. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Error that ended the deadline, or null while it is running. */
  get reason(): AttemptError | null {
    return this.#reason;
  }

  /** Sets the only listener for the end of the deadline. Null removes the listener. */
  listen(listener: ((reason: AttemptError) => void) | null): void {
    this.#listener = listener;
  }

  abort(reason: AttemptError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }

  /** Clears the timer and removes the parent's abort listener. Must always be called. */
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

/** Settles like `work`, or rejects with the signal's reason if the signal aborts first. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
