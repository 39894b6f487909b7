/** Whether this process should be given work, as `/readyz` says it. */
export interface Readiness {
  /** What must be well, each asked anew every time. */
  addCheck(isWell: () => boolean): void;
  /** All is started. */
  markReady(): void;
  isStarted(): boolean;
  state(): ReadyState;
}

export type ReadyState = 'ready' | 'starting' | 'not ready' | 'closing';

/** `closing` aborts when the process is told to end: it is not ready from that moment on. */
export function createReadiness(closing: AbortSignal): Readiness {
  const needed: (() => boolean)[] = [];
  let isStarted = false;
  return {
    addCheck: (isWell) => void needed.push(isWell),
    markReady: () => {
      isStarted = true;
    },
    isStarted: () => isStarted,
    state() {
      if (closing.aborted) return 'closing';
      if (!isStarted) return 'starting';
      return needed.every((isWell) => isWell()) ? 'ready' : 'not ready';
    },
  };
}

/** When to ask again, in seconds; a process that ends is not asked again. */
const RETRY_SECONDS: Record<ReadyState, string | null> = {
  ready: null,
  starting: '1',
  'not ready': '5',
  closing: null,
};

/** What `/readyz` answers: 200 when it is ready, else 503. */
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
