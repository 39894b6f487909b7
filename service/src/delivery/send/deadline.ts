import type { Clock, Timer } from '../../platform/clock.ts';
import type { AttemptFailed } from './attempt-error.ts';

/** Something that ends in time, with an `AttemptFailed` as the reason. */
export interface Limit {
  /** Made when it is first asked for: most attempts find a connection that stands and need none. */
  readonly signal: AbortSignal;
  /** Why it ended; null while it has not. */
  readonly reason: AttemptFailed | null;
  /** Tells this one listener when it ends; null: nobody any more. */
  listen(listener: ((reason: AttemptFailed) => void) | null): void;
  abort(reason: AttemptFailed): void;
  /** Puts timer and parent away; to be called whatever happened. */
  end(): void;
}

export interface LimitOptions {
  ms: number;
  expire: () => AttemptFailed;
  parent?: AbortSignal;
}

/** Aborts after `ms` with what `expire` makes, or with the parent and for its reason. */
export function startLimit(clock: Clock, options: LimitOptions): Limit {
  return new RunningLimit(clock, options);
}

/** A class: as functions around variables it was the largest thing that an attempt left behind. */
class RunningLimit implements Limit {
  #controller: AbortController | null = null;
  #ended: AttemptFailed | null = null;
  #tell: ((reason: AttemptFailed) => void) | null = null;
  #unfollow: (() => void) | null = null;
  readonly #timer: Timer;

  constructor(clock: Clock, { ms, expire, parent }: LimitOptions) {
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

  get reason(): AttemptFailed | null {
    return this.#ended;
  }

  listen(listener: ((reason: AttemptFailed) => void) | null): void {
    this.#tell = listener;
  }

  abort(reason: AttemptFailed): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#controller?.abort(reason);
    this.#tell?.(reason);
  }

  end(): void {
    this.#timer.cancel();
    this.#unfollow?.();
  }

  #follow(parent: AbortSignal): void {
    const follow = (): void => this.abort(parent.reason as AttemptFailed);
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
