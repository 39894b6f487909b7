import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import type { Clock } from './clock.ts';
import type { Instant } from './instant.ts';

/** `redirected` means a redirect to a host that isn't listed, or too many redirects. */
export type UnavailableReason =
  | 'timeout'
  | 'blocked'
  | 'rate-limited'
  | 'server-error'
  | 'too-large'
  | 'network'
  | 'redirected'
  | 'breaker-open'
  | 'wrong-clock'
  | 'stopped';

export interface Cooldown {
  reason: UnavailableReason;
  retryAt: Instant;
  /** True if only the requested host is unavailable and other hosts of the source are not. */
  isHostOnly?: boolean;
}

/** A cooldown as it is saved, to survive a restart. */
export interface SavedCooldown {
  reason: UnavailableReason;
  until: Instant;
  /** Number of refusals in a row that led to it. */
  refusals: number;
}

interface CooldownOptions {
  clock: Clock;
  /** Pause after the first refusal without a time. It doubles with each refusal in a row. */
  cooldownMs: number;
}

const COOLDOWN_MS_MAX = 6 * 3_600_000;
/** Maximum rest of a saved cooldown. A longer one was saved with a clock that was ahead. */
const SAVED_MS_MAX = 24 * 3_600_000;
const FAILURES_MAX = 5;
const OPEN_MS = 60_000;
const OPEN_MS_MAX = 30 * 60_000;

/** The cooldown and circuit breaker of a source. */
export class SourceCooldown {
  readonly #options: CooldownOptions;
  readonly #breaker: CircuitBreaker;
  #active: { reason: UnavailableReason; untilMs: number } | null = null;
  #refusals = 0;
  /** The value of `#refusals` before the newest response, which may prove to be a refusal. */
  #previousRefusals = 0;

  constructor(options: CooldownOptions) {
    const { clock } = options;
    this.#options = options;
    this.#breaker = createCircuitBreaker({
      clock,
      failuresMax: FAILURES_MAX,
      openMs: OPEN_MS,
      openMsMax: OPEN_MS_MAX,
    });
  }

  /** Number of refusals in a row. */
  get refusals(): number {
    return this.#refusals;
  }

  /** True if the next request is a single attempt after an outage. */
  get isProbe(): boolean {
    return this.#breaker.state() === 'probe';
  }

  current(): Cooldown | null {
    const { clock } = this.#options;
    const remainingMs = (this.#active?.untilMs ?? 0) - clock.monotonicMs();
    if (this.#active !== null && remainingMs > 0) {
      return { reason: this.#active.reason, retryAt: clock.now() + Math.ceil(remainingMs) };
    }
    if (this.#breaker.state() !== 'open') return null;
    return { reason: 'breaker-open', retryAt: this.#breaker.probeAt() };
  }

  succeeded(): void {
    this.#previousRefusals = this.#refusals;
    this.#refusals = 0;
    this.#breaker.succeeded();
  }

  failed(): void {
    this.#breaker.failed();
  }

  /** Starts the cooldown for a response that proved to be a refusal after `succeeded`. */
  refusedAfterAll(): Cooldown {
    this.#refusals = this.#previousRefusals;
    return this.start('blocked', null);
  }

  /**
   * Stops all requests until the time that the source asks for. If it doesn't specify a time, the
   * cooldown doubles each time.
   */
  start(reason: UnavailableReason, until: Instant | null): Cooldown {
    const { clock, cooldownMs } = this.#options;
    const doubledMs = cooldownMs * 2 ** this.#refusals;
    const delayMs =
      until === null ? Math.min(doubledMs, COOLDOWN_MS_MAX) : Math.max(until - clock.now(), 1000);
    this.#refusals++;
    this.#active = { reason, untilMs: clock.monotonicMs() + delayMs };
    return { reason, retryAt: clock.now() + Math.ceil(delayMs) };
  }

  /** Returns null if there were no refusals since the last response. */
  toSaved(): SavedCooldown | null {
    const { clock } = this.#options;
    if (this.#active === null || this.#refusals === 0) return null;
    const until = clock.now() + this.#active.untilMs - clock.monotonicMs();
    return { reason: this.#active.reason, until, refusals: this.#refusals };
  }

  /** Continues a saved cooldown, but none of more than a day, which a wrong clock saved. */
  restore({ reason, until, refusals }: SavedCooldown): void {
    const { clock } = this.#options;
    const remainingMs = until - clock.now();
    if (remainingMs > SAVED_MS_MAX) return;
    this.#active = { reason, untilMs: clock.monotonicMs() + remainingMs };
    this.#refusals = refusals;
  }
}
