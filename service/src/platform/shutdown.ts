import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Shuts down a long-running process in an orderly way. */
export interface Shutdown {
  /**
   * Registers a function to run at shutdown. These closers run one at a time, in reverse order of
   * registration.
   */
  register(name: string, close: () => Promise<void> | void): void;
  /** Starts the shutdown as a signal would. The first call determines the exit code. */
  begin(reason: string, exitCode?: number): void;
  /** Aborts when the shutdown begins, so that loops and waits end. */
  readonly signal: AbortSignal;
  /** Resolves after the last closer has finished, just before the process exits. */
  readonly done: Promise<void>;
}

/** The part of `process` that a shutdown needs. */
export interface ProcessLike {
  on(event: string, listener: (argument: unknown) => void): unknown;
  exit(code: number): void;
}

export interface ShutdownOptions {
  clock: Clock;
  log: Log;
  process: ProcessLike;
  /** Time limit for all closers together. When it is exceeded, the process exits with code 1. */
  limitMs?: number;
}

interface Closer {
  name: string;
  close(): Promise<void> | void;
}

/** Longer than 20 s, the maximum duration of deliveries in flight. */
const LIMIT_MS = 30_000;
/**
 * When npm starts the process, Ctrl-C reaches the process twice within a few milliseconds: from the
 * terminal and from npm. A user cannot press the keys twice in such a short time.
 */
const SAME_PRESS_MS = 300;

/**
 * Handles SIGTERM and SIGINT. The first signal closes everything in order and exits with code 0. A
 * second signal exits immediately with code 1. An uncaught error is logged and shuts the process
 * down with code 1.
 */
export function createShutdown(options: ShutdownOptions): Shutdown {
  return new ProcessShutdown(options);
}

class ProcessShutdown implements Shutdown {
  readonly done: Promise<void>;
  readonly #options: ShutdownOptions;
  readonly #closers: Closer[] = [];
  readonly #controller = new AbortController();
  readonly #resolveDone: () => void;
  #begunAtMs: number | null = null;
  #exitCode = 0;

  constructor(options: ShutdownOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#resolveDone = resolve;
    for (const name of ['SIGTERM', 'SIGINT']) {
      options.process.on(name, () => this.#onSignal(name));
    }
    for (const kind of ['uncaughtException', 'unhandledRejection']) {
      options.process.on(kind, (error) => this.#onError(error, kind));
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  register(name: string, close: () => Promise<void> | void): void {
    this.#closers.push({ name, close });
  }

  begin(reason: string, exitCode = 0): void {
    const { clock, log } = this.#options;
    if (this.#begunAtMs !== null) return;
    this.#begunAtMs = clock.monotonicMs();
    this.#exitCode = exitCode;
    log.info({ event: 'process.shutdown', reason }, 'shutting down');
    this.#controller.abort();
    void this.#closeAll();
  }

  async #closeAll(): Promise<void> {
    const { clock, log, process, limitMs = LIMIT_MS } = this.#options;
    let waitingFor = '';
    const timer = clock.setTimer(limitMs, () => {
      log.error({ event: 'process.shutdown_timeout', waitingFor, limitMs }, 'shutdown timed out');
      process.exit(1);
    });
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      waitingFor = closer.name;
      try {
        await closer.close();
      } catch (error) {
        log.error(
          { event: 'process.shutdown_failed', err: error, closer: closer.name },
          'closing failed during shutdown',
        );
        this.#exitCode = 1;
      }
    }
    timer.cancel();
    this.#resolveDone();
    process.exit(this.#exitCode);
  }

  #onSignal(name: string): void {
    const { clock, log, process } = this.#options;
    if (this.#begunAtMs === null) return this.begin(name);
    if (clock.monotonicMs() - this.#begunAtMs < SAME_PRESS_MS) return;
    log.warn({ event: 'process.shutdown', reason: name }, 'second signal, exiting immediately');
    process.exit(1);
  }

  #onError(error: unknown, kind: string): void {
    this.#options.log.error({ event: 'process.error', err: error, kind }, 'uncaught error');
    this.#exitCode = 1;
    this.begin(kind, 1);
  }
}
