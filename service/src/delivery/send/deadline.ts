import type { Clock, Timer } from '../../platform/clock.ts';
import type { AttemptError } from './attempt-error.ts';

/** Something that ends in time, with an `AttemptFailed` as the reason. */
export interface Deadline {
  /** Made when it is first asked for: most attempts find a connection that stands and need none. */
  readonly signal: AbortSignal;
  /** Why it ended; null while it has not. */
  readonly reason: AttemptError | null;
  /** Tells this one listener when it ends; null: nobody any more. */
  listen(listener: ((reason: AttemptError) => void) | null): void;
  abort(reason: AttemptError): void;
  /** Puts timer and parent away; to be called whatever happened. */
  clear(): void;
}

export interface DeadlineOptions {
  ms: number;
  expire: () => AttemptError;
  parent?: AbortSignal;
}

/** Aborts after `ms` with what `expire` makes, or with the parent and for its reason. */
export function startDeadline(clock: Clock, options: DeadlineOptions): Deadline {
  return new RunningDeadline(clock, options);
}

/** A class: as functions around variables it was the largest thing that an attempt left behind. */
class RunningDeadline implements Deadline {
  #controller: AbortController | null = null;
  #ended: AttemptError | null = null;
  #tell: ((reason: AttemptError) => void) | null = null;
  #unfollow: (() => void) | null = null;
  readonly #timer: Timer;

  constructor(clock: Clock, { ms, expire, parent }: DeadlineOptions) {
    this.#timer = clock.setTimer(ms, () => this.abort(expire()));
    if (parent !== undefined) this.#follow(parent);
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#ended !== null) this.#controller.abort(this.#ended);
    }
    return this.#controller.signal;
  }

  get reason(): AttemptError | null {
    return this.#ended;
  }

  listen(listener: ((reason: AttemptError) => void) | null): void {
    this.#tell = listener;
  }

  abort(reason: AttemptError): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#controller?.abort(reason);
    this.#tell?.(reason);
  }

  clear(): void {
    this.#timer.cancel();
    this.#unfollow?.();
  }

  #follow(parent: AbortSignal): void {
    const follow = (): void => this.abort(parent.reason as AttemptError);
    if (parent.aborted) return follow();
    parent.addEventListener('abort', follow);
    this.#unfollow = () => parent.removeEventListener('abort', follow);
  }
}

/** Settles as `work` does, or rejects with the signal's reason when that comes first. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
