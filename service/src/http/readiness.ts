/** Readiness of this process for traffic, as reported by `/readyz`. */
export interface Readiness {
  /** Registers a check that runs for every report. */
  addCheck(isHealthy: () => boolean): void;
  /** Marks startup as complete. */
  markReady(): void;
  isStarted(): boolean;
  state(): ReadyState;
}

export type ReadyState = 'ready' | 'starting' | 'not ready' | 'closing';

/**
 * Creates the readiness state. The process stops being ready when `closing` is aborted, which
 * happens when shutdown begins.
 */
export function createReadiness(closing: AbortSignal): Readiness {
  const checks: (() => boolean)[] = [];
  let isStarted = false;
  return {
    addCheck: (isHealthy) => void checks.push(isHealthy),
    markReady: () => {
      isStarted = true;
    },
    isStarted: () => isStarted,
    state() {
      if (closing.aborted) return 'closing';
      if (!isStarted) return 'starting';
      return checks.every((isHealthy) => isHealthy()) ? 'ready' : 'not ready';
    },
  };
}

/** Value of the Retry-After header in seconds; null to omit it. */
const RETRY_SECONDS: Record<ReadyState, string | null> = {
  ready: null,
  starting: '1',
  'not ready': '5',
  closing: null,
};

/** Returns the `/readyz` response: 200 if ready, otherwise 503. */
export function readyResponse(state: ReadyState): {
  status: number;
  headers: Record<string, string>;
  body: { status: ReadyState };
} {
  const retryAfter = RETRY_SECONDS[state];
  return {
    status: state === 'ready' ? 200 : 503,
    headers: {
      'Cache-Control': 'no-store',
      ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }),
    },
    body: { status: state },
  };
}
