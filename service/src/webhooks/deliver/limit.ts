import type { Clock } from '../../platform/clock.ts';
import type { AttemptFailed } from './attempt-failed.ts';

/** Something that ends in time: its signal aborts with an `AttemptFailed` as the reason. */
export interface Limit {
  signal: AbortSignal;
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
  const controller = new AbortController();
  const timer = clock.setTimer(ms, () => controller.abort(expire()));
  const follow = (): void => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
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
