import type { Clock, Timer } from '../../platform/clock.ts';
import type { AttemptError } from './attempt-error.ts';

/** A time limit that ends with an `AttemptError` as its reason. */
export interface Deadline {
  /** Created on first use: most attempts reuse a connection and do not need it. */
  readonly signal: AbortSignal;
  /** The reason for the end; null while it is running. */
  readonly reason: AttemptError | null;
  /** Sets the one listener for the end; null removes it. */
  listen(listener: ((reason: AttemptError) => void) | null): void;
  abort(reason: AttemptError): void;
  /** Clears the timer and detaches from the parent. Must always be called. */
  clear(): void;
}

export interface DeadlineOptions {
  ms: number;
  expire: () => AttemptError;
  parent?: AbortSignal;
}

/** Aborts after `ms` with the error from `expire`, or together with the parent for its reason. */
export function startDeadline(clock: Clock, options: DeadlineOptions): Deadline {
  return new RunningDeadline(clock, options);
}

/** A class, because its closures were the largest allocation of an attempt. */
class RunningDeadline implements Deadline {
  #controller: AbortController | null = null;
  #reason: AttemptError | null = null;
  #listener: ((reason: AttemptError) => void) | null = null;
  #detach: (() => void) | null = null;
  readonly #timer: Timer;

  constructor(clock: Clock, { ms, expire, parent }: DeadlineOptions) {
    this.#timer = clock.setTimer(ms, () => this.abort(expire()));
    if (parent !== undefined) this.#follow(parent);
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get reason(): AttemptError | null {
    return this.#reason;
  }

  listen(listener: ((reason: AttemptError) => void) | null): void {
    this.#listener = listener;
  }

  abort(reason: AttemptError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }

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
