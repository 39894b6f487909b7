import { Batcher } from '../../platform/batcher.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { Log } from '../../platform/log.ts';
import type { LoopHealth } from '../../platform/loop-health.ts';
import { whenWritten } from '../../storage/when-written.ts';
import { rollUpAttempts } from '../../webhooks/stats/attempt-rollup.ts';
import type { EngineDeps } from '../engine.ts';
import { queueDateRollover } from '../fan-out/date-rollover.ts';
import { fanOut } from '../fan-out/fan-out.ts';
import { readChanges } from '../fan-out/read-changes.ts';
import { queueSessionChanges } from '../fan-out/session-changes.ts';
import { recordAttempts } from '../record/record.ts';
import type { AttemptResult } from '../claim/claimed-delivery.ts';
import type { WebhookAgent } from '../send/agent.ts';
import { TUNING } from '../tuning.ts';
import { hasFanOutWork } from './pending-work.ts';
import { runLoop, WakeUp } from './loop.ts';
import { newMetrics } from './metrics.ts';
import { reportAlerts } from './report.ts';
import { deleteExpired, RETENTION_DAYS, type RetentionDays } from './retention.ts';
import { Sender } from './sender.ts';
import { alertSilentFailures } from './silent-failures.ts';
import {
  alwaysTrustedClock,
  ClockUntrustedError,
  createWorkerClock,
  type WorkerClock,
} from './worker-clock.ts';

export interface WebhookWorkerOptions extends EngineDeps {
  log: Log;
  agent: WebhookAgent;
  /** The prefix of the delivery headers, from `brandForHeaders`. */
  brand: string;
  /** Decrypts the signing secrets. */
  cipher: SecretCipher;
  /** Maximum number of deliveries in flight. Defaults to `TUNING.slots`. */
  slots?: number;
  /** Set to false for a clock that is shifted on purpose. */
  checksClock?: boolean;
  retention?: RetentionDays;
  /** Receives the outcomes of the loops. */
  loops?: LoopHealth;
  /** Returns true while no delivery may be claimed. */
  areClaimsHeld?: (() => boolean) | undefined;
}

const POLL_MS = 1_000;
const MAINTENANCE_MS = 20_000;
/** Containers are killed ten seconds after the signal to stop. An attempt takes up to 15 s. */
const DRAIN_MS_MAX = 5_000;
const RECORD_RETRY_MS = { minMs: 500, maxMs: 10_000 };

/** Delivers webhooks until it is stopped. Several processes may share one store. */
export class WebhookWorker {
  readonly metrics = newMetrics();
  readonly #options: WebhookWorkerOptions;
  readonly #workerClock: WorkerClock;
  /**
   * Dependencies for decisions, which need a trusted clock. Recording results does not need one.
   */
  readonly #deciding: EngineDeps;
  readonly #recording: EngineDeps;
  readonly #sender: Sender;
  readonly #hasFanOutWork: () => Promise<boolean>;
  readonly #stopping = new AbortController();
  readonly #fanOutWakeUp: WakeUp;
  readonly #sendWakeUp: WakeUp;
  readonly #maintenanceWakeUp: WakeUp;
  readonly #loops: readonly Promise<void>[];

  constructor(options: WebhookWorkerOptions) {
    const { db, clock, log, checksClock = true } = options;
    this.#hasFanOutWork = whenWritten(db, () => hasFanOutWork(db));
    this.#options = options;
    this.#fanOutWakeUp = new WakeUp(clock);
    this.#sendWakeUp = new WakeUp(clock);
    this.#maintenanceWakeUp = new WakeUp(clock);
    const onDistrust = () => this.#maintenanceWakeUp.wake();
    this.#workerClock = checksClock
      ? createWorkerClock({ db, clock, log, onDistrust })
      : alwaysTrustedClock(clock);
    this.#deciding = { ...options, clock: this.#workerClock.strict };
    this.#recording = { ...options, clock: this.#workerClock.steady };
    const recorder = this.#createRecorder();
    this.#sender = new Sender({
      ...options,
      engine: options,
      workerClock: this.#workerClock,
      metrics: this.metrics,
      slots: options.slots ?? TUNING.slots,
      isStopping: () => this.#stopping.signal.aborted,
      record: (result) => recorder.add(result),
      wake: () => this.#sendWakeUp.wake(),
    });
    this.#loops = this.#startLoops();
  }

  /** Must be called after a commit that may contain changes. Otherwise they wait up to 1 s. */
  readonly wakeFanOut = (): void => this.#fanOutWakeUp.wake();

  /** Must be called after a commit that may contain deliveries to send or queued companies. */
  readonly wake = (): void => {
    this.#fanOutWakeUp.wake();
    this.#sendWakeUp.wake();
  };

  /**
   * Stops claiming, releases claims that have not started, waits up to five seconds for attempts in
   * flight, records their results and closes the agent. Attempts that take longer are interrupted.
   */
  readonly stop = async (): Promise<void> => {
    const { clock, agent } = this.#options;
    this.#stopping.abort();
    this.wake();
    this.#maintenanceWakeUp.wake();
    await Promise.all(this.#loops);
    await this.#sender.started();
    const drained = new AbortController();
    const timeout = clock.sleep(DRAIN_MS_MAX, drained.signal);
    await Promise.race([this.#sender.recorded(), timeout]);
    drained.abort();
    // If the store is unavailable, their leases expire by themselves.
    await this.#sender.abandon().catch(() => undefined);
    await agent.close();
    await this.#sender.recorded();
  };

  /**
   * Creates the recorder. A batch is repeated until it is stored, because a store outage must not
   * lose responses. Deliveries whose leases expire in the meantime are sent twice.
   *
   * There is only one recorder: with two, each batch was half as large and each delivery cost the
   * store a seventh more.
   */
  #createRecorder(): Batcher<AttemptResult> {
    const { clock, log, loops } = this.#options;
    return new Batcher({
      clock,
      health: loops?.add('record results', 'retried'),
      maxSize: TUNING.recordBatchMax,
      flushSize: TUNING.recordBatchMin,
      maxWaitMs: TUNING.recordWaitMsMax,
      retry: RECORD_RETRY_MS,
      run: async (batch) => {
        const alerts = await recordAttempts(this.#recording, batch);
        reportAlerts({ metrics: this.metrics, log }, alerts);
      },
      onError: (failure) =>
        log.warn(
          { event: 'delivery.recording_failed', ...failure },
          'attempt results could not be stored, retrying',
        ),
    });
  }

  #startLoops(): Promise<void>[] {
    const { clock, log, loops } = this.#options;
    const deps = { clock, log, stopping: this.#stopping.signal };
    return [
      runLoop(deps, {
        name: 'fan-out',
        health: loops?.add('fan-out', 'periodic'),
        wakeUp: this.#fanOutWakeUp,
        intervalMs: POLL_MS,
        step: () => this.#fanOut(),
      }),
      runLoop(deps, {
        name: 'send',
        health: loops?.add('send', 'periodic'),
        wakeUp: this.#sendWakeUp,
        intervalMs: POLL_MS,
        step: () => this.#sender.sendDue(),
      }),
      runLoop(deps, {
        name: 'maintenance',
        health: loops?.add('delivery maintenance', 'retried', { isRequired: false }),
        wakeUp: this.#maintenanceWakeUp,
        intervalMs: MAINTENANCE_MS,
        step: () => this.#maintain(),
      }),
    ];
  }

  async #fanOut(): Promise<boolean> {
    if (!this.#workerClock.isTrusted()) throw new ClockUntrustedError();
    if (!(await this.#hasFanOutWork())) return false;
    const { count, hasMore } = await this.#sender.claimFrom((onOpened) =>
      readChanges(this.#deciding, onOpened),
    );
    if (!hasMore) return false;
    const hasOpened = await this.#sender.claimFrom((onOpened) => fanOut(this.#deciding, onOpened));
    return count > 0 || hasOpened;
  }

  async #maintain(): Promise<boolean> {
    await this.#checkClock();
    if (!this.#workerClock.isTrusted()) return false;
    const deps = this.#deciding;
    if ((await queueDateRollover(deps)) || (await queueSessionChanges(deps))) {
      this.#fanOutWakeUp.wake();
      return true;
    }
    const { log, retention = RETENTION_DAYS } = this.#options;
    reportAlerts({ metrics: this.metrics, log }, await alertSilentFailures(deps));
    const hasDeleted = (await deleteExpired(deps, retention)) > 0;
    return (await rollUpAttempts(deps)) || hasDeleted;
  }

  async #checkClock(): Promise<void> {
    const wasTrusted = this.#workerClock.isTrusted();
    this.metrics.clockOffsetMs = await this.#workerClock.compare();
    if (this.#workerClock.isTrusted() && !wasTrusted) this.wake();
  }
}

export function startWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  return new WebhookWorker(options);
}
