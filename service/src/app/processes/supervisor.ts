import { type Backoff, createBackoff } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { FromProcess, Listening, ProcessReport, ToProcess } from './messages.ts';
import type { NodeProcess } from './node-process.ts';

/** A running process, as the supervisor sees it. */
export interface ChildHandle {
  send(message: ToProcess): void;
  onMessage(listener: (message: FromProcess) => void): void;
  /** Resolves with the exit code, or with the name of the signal that ended the process. */
  ended: Promise<number | string>;
}

interface SupervisorDeps {
  clock: Clock;
  log: Pick<Log, 'error'>;
  count: number;
  launch(process: NodeProcess): ChildHandle;
  /** Called when a process has ended, with its number. */
  onEnded?(number: number): void;
}

const RESTART_MS = { min: 1_000, max: 30_000 };
/** A process that ran this long starts again after the shortest delay. */
const STABLE_MS = 60_000;
/** A process that does not report within this time counts as not ready. */
const REPORT_MS_MAX = 2_000;

/** Thrown if a process ends before it serves. The process itself has reported the reason. */
export class ProcessStartError extends Error {
  readonly exit: number | string;

  constructor(number: number, exit: number | string) {
    super(`process ${number} ended during the start (${exit})`);
    this.name = 'ProcessStartError';
    this.exit = exit;
  }
}

/**
 * Runs several processes. The first one starts alone, because it migrates the store and reports what
 * is wrong. A process that ends later is restarted with increasing delays.
 */
export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #slots: Slot[];
  readonly #stopping = new AbortController();
  #restarts = 0;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#slots = Array.from({ length: deps.count }, (_, at) => new Slot(deps, at + 1));
  }

  /** Number of processes that were restarted so far. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Resolves when all processes serve, with what the first one said, or with null if `stop` was
   * called meanwhile. Throws `ProcessStartError` after it has stopped those that were running.
   */
  async start(): Promise<Listening | null> {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new Error('a node has at least one process');
    try {
      const listening = await first.start();
      await Promise.all(others.map((slot) => slot.start()));
      for (const slot of this.#slots) void this.#keepRunning(slot);
      return listening;
    } catch (error) {
      const isStopping = this.#stopping.signal.aborted;
      await this.stop();
      if (isStopping) return null;
      throw error;
    }
  }

  /** Asks every process for its report. Null stands for one that does not respond. */
  collect(): Promise<(ProcessReport | null)[]> {
    return Promise.all(this.#slots.map((slot) => slot.report()));
  }

  /** Stops all processes. Resolves when they have ended, with true if all of them exited with 0. */
  async stop(): Promise<boolean> {
    this.#stopping.abort();
    const exits = await Promise.all(this.#slots.map((slot) => slot.stop()));
    return exits.every((exit) => exit === 0 || exit === null);
  }

  async #keepRunning(slot: Slot): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#stopping;
    for (;;) {
      const exit = await slot.ended();
      if (signal.aborted) return;
      await clock.sleep(slot.restartDelay(exit), signal);
      if (signal.aborted) return;
      this.#restarts += 1;
      await slot.start({ isRestart: true }).catch(() => undefined);
    }
  }
}

/** One of the processes, with its successors. */
class Slot {
  readonly #deps: SupervisorDeps;
  readonly #number: number;
  readonly #backoff: Backoff;
  readonly #waiting = new Map<number, (report: ProcessReport) => void>();
  #child: ChildHandle | null = null;
  #ended: Promise<number | string> | null = null;
  #startedMs = 0;
  #reportCount = 0;

  constructor(deps: SupervisorDeps, number: number) {
    this.#deps = deps;
    this.#number = number;
    this.#backoff = createBackoff({
      clock: deps.clock,
      minMs: RESTART_MS.min,
      maxMs: RESTART_MS.max,
      log: ({ err: exit, suppressed }) =>
        deps.log.error(
          { event: 'process.ended', process: number, exit, suppressed },
          'a serving process ended and will be restarted',
        ),
    });
  }

  /** Starts the process. Rejects with `ProcessStartError` if it ends before it listens. */
  start({ isRestart = false } = {}): Promise<Listening> {
    const { clock, count, launch, onEnded } = this.#deps;
    const number = this.#number;
    const child = launch({ number, count, isFirstStart: !isRestart });
    this.#child = child;
    this.#startedMs = clock.monotonicMs();
    this.#ended = child.ended.then((exit) => {
      this.#child = null;
      onEnded?.(number);
      return exit;
    });
    return new Promise((resolve, reject) => {
      void this.#ended?.then((exit) => reject(new ProcessStartError(number, exit)));
      child.onMessage((message) => {
        if (message.kind === 'listening') resolve(message);
        else this.#waiting.get(message.id)?.(message);
      });
    });
  }

  /** Resolves with the exit code or signal when the process has ended. */
  async ended(): Promise<number | string | null> {
    return this.#ended;
  }

  /** Logs that the process ended. Returns the delay before it may start again. */
  restartDelay(exit: number | string | null): number {
    if (this.#deps.clock.monotonicMs() - this.#startedMs >= STABLE_MS) this.#backoff.succeeded();
    return this.#backoff.failed(exit);
  }

  async report(): Promise<ProcessReport | null> {
    const child = this.#child;
    if (child === null) return null;
    const id = (this.#reportCount += 1);
    const { promise, resolve } = Promise.withResolvers<ProcessReport | null>();
    this.#waiting.set(id, resolve);
    void this.#ended?.then(() => resolve(null));
    const timer = this.#deps.clock.setTimer(REPORT_MS_MAX, () => resolve(null));
    child.send({ kind: 'collect', id });
    const report = await promise;
    timer.cancel();
    this.#waiting.delete(id);
    return report;
  }

  /** Resolves with the exit code, or with null if no process is running. */
  async stop(): Promise<number | string | null> {
    if (this.#child === null) return null;
    this.#child.send({ kind: 'stop' });
    return this.#ended;
  }
}
