import type { Clock } from '../../platform/clock.ts';
import type { AttemptFailed } from './attempt-failed.ts';

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

/** Aborts after `ms` with what `expire` makes, or with the parent and for its reason. */
export function startLimit(
  clock: Clock,
  options: { ms: number; expire: () => AttemptFailed; parent?: AbortSignal },
): Limit {
  const { ms, expire, parent } = options;
  let controller: AbortController | null = null;
  let ended: AttemptFailed | null = null;
  let tell: ((reason: AttemptFailed) => void) | null = null;
  const abort = (reason: AttemptFailed): void => {
    if (ended !== null) return;
    ended = reason;
    controller?.abort(reason);
    tell?.(reason);
  };
  const timer = clock.setTimer(ms, () => abort(expire()));
  const follow = (): void => abort(parent?.reason as AttemptFailed);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow);
  return {
    get signal() {
      if (controller === null) {
        controller = new AbortController();
        if (ended !== null) controller.abort(ended);
      }
      return controller.signal;
    },
    get reason() {
      return ended;
    },
    listen(listener) {
      tell = listener;
    },
    abort,
    end() {
      timer.cancel();
      parent?.removeEventListener('abort', follow);
    },
  };
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
