import type { Clock } from '../platform/clock.ts';

/** Stands before a store that may be away, so that requests do not queue for it. */
export interface StoreGate {
  /** False while the store is known to be away and somebody else is looking, or has just looked. */
  isOpen(): boolean;
  /**
   * Asks the store; null when it fails or takes longer than `limitMs`. `onLate` gets an answer that
   * came after that.
   */
  pass<T>(ask: () => Promise<T>, limitMs: number, onLate: (answer: T) => void): Promise<T | null>;
}

/** After a failure one request looks again in each of these. */
const LOOK_EVERY_MS = 1_000;

export function storeGate(deps: { clock: Clock; onFailure(error: unknown): void }): StoreGate {
  const { clock, onFailure } = deps;
  /** When to look again; null while the store answers. */
  let lookAtMs: number | null = null;

  function fail(error: unknown): void {
    if (lookAtMs === null) onFailure(error);
    lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
  }

  return {
    isOpen() {
      if (lookAtMs === null) return true;
      if (clock.monotonicMs() < lookAtMs) return false;
      lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
      return true;
    },
    pass(ask, limitMs, onLate) {
      return new Promise((resolve) => {
        let isOver = false;
        const timer = clock.setTimer(limitMs, () => {
          isOver = true;
          fail(new Error(`The store did not answer within ${limitMs} ms.`));
          resolve(null);
        });
        ask().then(
          (answer) => {
            timer.cancel();
            lookAtMs = null;
            if (isOver) onLate(answer);
            else resolve(answer);
          },
          (error: unknown) => {
            timer.cancel();
            fail(error);
            resolve(null);
          },
        );
      });
    },
  };
}
