import type { Clock } from './clock.ts';
import type { Instant } from './instant.ts';

/** Time without a success after which a loop is failing. */
export const FAILING_MS = 30_000;

/**
 * - `periodic`: succeeds at least every few seconds, also with nothing to do. If it hangs, it is
 *   failing too.
 * - `retried`: its steps may take long or be rare, but a failed one is repeated until it succeeds.
 * - `requested`: runs for requests, and not at all while there are none, so an old failure is no
 *   longer counted.
 */
export type LoopKind = 'periodic' | 'retried' | 'requested';

/** Receives the outcomes of one loop. */
export interface LoopReporter {
  succeeded(): void;
  failed(error: unknown): void;
}

export interface LoopState {
  name: string;
  lastSuccessAt: Instant | null;
  /** Start of the failures since the last success. */
  failingSince: Instant | null;
  lastError: string | null;
  isFailing: boolean;
}

/** Knows which background loops of this process succeed. */
export class LoopHealth {
  readonly #clock: Clock;
  readonly #loops: Loop[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a loop. The process is not ready while a loop with `isRequired` is failing. */
  add(
    name: string,
    kind: LoopKind,
    { isRequired = true }: { isRequired?: boolean } = {},
  ): LoopReporter {
    const loop = new Loop(this.#clock, { name, kind, isRequired });
    this.#loops.push(loop);
    return loop;
  }

  states(): LoopState[] {
    return this.#loops.map((loop) => loop.state());
  }

  areRequiredHealthy(): boolean {
    return this.#loops.every((loop) => !loop.isRequired || !loop.isFailing());
  }
}

interface Moment {
  at: Instant;
  ms: number;
}

class Loop implements LoopReporter {
  readonly isRequired: boolean;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #kind: LoopKind;
  /** The last success, or the start. */
  #lastMs: number;
  #lastSuccessAt: Instant | null = null;
  #firstFailure: Moment | null = null;
  #lastFailureMs = 0;
  #lastError: string | null = null;

  constructor(clock: Clock, options: { name: string; kind: LoopKind; isRequired: boolean }) {
    this.#clock = clock;
    this.#name = options.name;
    this.#kind = options.kind;
    this.isRequired = options.isRequired;
    this.#lastMs = clock.monotonicMs();
  }

  succeeded(): void {
    this.#lastMs = this.#clock.monotonicMs();
    this.#lastSuccessAt = this.#clock.now();
    this.#firstFailure = null;
    this.#lastError = null;
  }

  failed(error: unknown): void {
    const moment = this.#now();
    this.#firstFailure ??= moment;
    this.#lastFailureMs = moment.ms;
    this.#lastError = error instanceof Error ? error.message : String(error);
  }

  isFailing(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (this.#kind === 'periodic') return nowMs - this.#lastMs >= FAILING_MS;
    if (this.#firstFailure === null) return false;
    if (this.#kind === 'requested' && nowMs - this.#lastFailureMs >= FAILING_MS) return false;
    return nowMs - this.#firstFailure.ms >= FAILING_MS;
  }

  state(): LoopState {
    return {
      name: this.#name,
      lastSuccessAt: this.#lastSuccessAt,
      failingSince: this.#firstFailure?.at ?? null,
      lastError: this.#lastError,
      isFailing: this.isFailing(),
    };
  }

  #now(): Moment {
    return { at: this.#clock.now(), ms: this.#clock.monotonicMs() };
  }
}
