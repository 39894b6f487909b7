import type { Clock } from './clock.ts';
import type { Instant } from './instant.ts';

/**
 * Stops requests to a source that keeps failing. After `failuresMax` consecutive failures, the
 * breaker opens for `openMs` and then lets one probe through. A successful probe closes the
 * breaker. A failed probe opens it for twice as long, up to `openMsMax`.
 */
export interface CircuitBreaker {
  /**
   * `closed` allows requests, `probe` allows a single request without retries, and `open` allows no
   * requests.
   */
  state(): 'closed' | 'probe' | 'open';
  /**
   * Returns the time at which an open breaker lets a probe through, or the current time if the
   * breaker isn't open.
   */
  probeAt(): Instant;
  succeeded(): void;
  failed(): void;
}

export interface CircuitBreakerOptions {
  clock: Clock;
  failuresMax: number;
  openMs: number;
  openMsMax: number;
}

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock } = options;
  let failures = 0;
  let openings = 0;
  let openUntilMs: number | null = null;

  function state(): 'closed' | 'probe' | 'open' {
    if (openUntilMs === null) return 'closed';
    return clock.monotonicMs() < openUntilMs ? 'open' : 'probe';
  }

  return {
    state,
    probeAt: () => clock.now() + Math.ceil(Math.max(0, (openUntilMs ?? 0) - clock.monotonicMs())),
    succeeded() {
      failures = 0;
      openings = 0;
      openUntilMs = null;
    },
    failed() {
      failures++;
      if (failures < options.failuresMax && state() === 'closed') return;
      const openMs = Math.min(options.openMs * 2 ** openings, options.openMsMax);
      openUntilMs = clock.monotonicMs() + openMs;
      openings++;
    },
  };
}
