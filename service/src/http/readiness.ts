/** Readiness of this process for traffic, as reported by `/readyz`. */
export interface Readiness {
  /** Registers a check that runs for every report. */
  addCheck(isHealthy: () => boolean): void;
  /** Marks startup as complete. */
  markReady(): void;
  /** Adds the state of the cell to every report, if the store is one. */
  setCell(cell: () => CellReport): void;
  isStarted(): boolean;
  state(): ReadyState;
  cell(): CellReport | null;
}

/** State of a cell, as `/readyz` reports it. */
export interface CellReport {
  name: string;
  condition: string;
  /** Age of its newest fact; null if unknown. */
  lagSeconds: number | null;
}

export type ReadyState = 'ready' | 'starting' | 'not ready' | 'closing';

/**
 * Creates the readiness state. The process stops being ready when `closing` is aborted, which
 * happens when shutdown begins.
 */
export function createReadiness(closing: AbortSignal): Readiness {
  const checks: (() => boolean)[] = [];
  let isStarted = false;
  let cell: () => CellReport | null = () => null;
  return {
    addCheck: (isHealthy) => void checks.push(isHealthy),
    markReady: () => {
      isStarted = true;
    },
    setCell: (report) => {
      cell = report;
    },
    cell: () => cell(),
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
export function readyResponse(
  state: ReadyState,
  cell: CellReport | null = null,
): {
  status: number;
  headers: Record<string, string>;
  body: { status: ReadyState; cell?: CellReport };
} {
  const retryAfter = RETRY_SECONDS[state];
  return {
    status: state === 'ready' ? 200 : 503,
    headers: {
      'Cache-Control': 'no-store',
      ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }),
    },
    body: { status: state, ...(cell !== null && { cell }) },
  };
}
