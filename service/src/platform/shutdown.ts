import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** The end of a long-running process, in order. */
export interface Shutdown {
  /** Closers run in the reverse order of their registration, one after the other. */
  register(name: string, close: () => Promise<void> | void): void;
  /** Starts closing, as a signal would; the first call decides the exit code. */
  begin(reason: string, exitCode?: number): void;
  /** Aborts when closing begins: for loops and waits that should stop by themselves. */
  readonly signal: AbortSignal;
  /** Resolves when all is closed, just before the process exits. */
  readonly done: Promise<void>;
}

/** As much of `process` as this needs. */
export interface ProcessLike {
  on(event: string, listener: (argument: unknown) => void): unknown;
  exit(code: number): void;
}

export interface ShutdownOptions {
  clock: Clock;
  log: Log;
  process: ProcessLike;
  /** For all closers together; then the process exits with code 1. */
  limitMs?: number;
}

/** Deliveries under way take 20 s at most. */
const LIMIT_MS = 30_000;
/**
 * Ctrl-C under `npm start` reaches the process twice, from the terminal and from npm, within a few
 * milliseconds; a person needs longer to mean it twice.
 */
const SAME_PRESS_MS = 300;

/**
 * Listens for SIGTERM and SIGINT: the first closes everything in order and exits with 0, a second
 * exits at once with 1. An error that nobody caught is logged, and the process closes and exits
 * with 1.
 */
export function createShutdown(options: ShutdownOptions): Shutdown {
  const { clock, log, limitMs = LIMIT_MS } = options;
  const closers: { name: string; close: () => Promise<void> | void }[] = [];
  const controller = new AbortController();
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  let begunAtMs: number | null = null;
  let exitCode = 0;

  function begin(reason: string, code = 0): void {
    if (begunAtMs !== null) return;
    begunAtMs = clock.monotonicMs();
    exitCode = code;
    log.info({ reason }, 'closing');
    controller.abort();
    void closeAll();
  }

  async function closeAll(): Promise<void> {
    let waitingFor = '';
    const timer = clock.setTimer(limitMs, () => {
      log.error({ waitingFor, limitMs }, 'closing took too long');
      options.process.exit(1);
    });
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
      waitingFor = closer.name;
      try {
        await closer.close();
      } catch (error) {
        log.error({ err: error, closer: closer.name }, 'could not close');
        exitCode = 1;
      }
    }
    timer.cancel();
    finish();
    options.process.exit(exitCode);
  }

  function onSignal(name: string): void {
    if (begunAtMs === null) return begin(name);
    if (clock.monotonicMs() - begunAtMs < SAME_PRESS_MS) return;
    log.warn({ reason: name }, 'told twice, leaving at once');
    options.process.exit(1);
  }

  function onError(error: unknown, kind: string): void {
    log.error({ err: error, kind }, 'nobody caught an error');
    exitCode = 1;
    begin(kind, 1);
  }

  for (const name of ['SIGTERM', 'SIGINT']) options.process.on(name, () => onSignal(name));
  for (const kind of ['uncaughtException', 'unhandledRejection']) {
    options.process.on(kind, (error) => onError(error, kind));
  }
  return {
    register: (name, close) => void closers.push({ name, close }),
    begin,
    signal: controller.signal,
    done,
  };
}
