import { limitHeaders } from '../domain/quota-window-headers.ts';
import {
  countRequest,
  type CustomerUse,
  fullWindows,
  isUnlimited,
  noUse,
  oneLess,
  readUse,
  type Receipt,
  refundRequest,
  useOf,
} from '../domain/quota-window-use.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { Queryable } from '../storage/db.ts';
import { CountWriter } from './count-writer.ts';
import { QuotaClock } from './quota-clock.ts';
import {
  refuse,
  type RunningQuotaMeter,
  type MeterResult,
  type MeterRequest,
  UNAVAILABLE,
} from './quota-meter.ts';
import { loadUses, saveMinutes, saveUses, takeMinutes } from './quota-store.ts';

/** Maximum time that a request waits for its count to be committed. */
const COMMIT_TIMEOUT_MS = 4_000;

interface Entry {
  customerId: string;
  use: CustomerUse;
}

interface LocalMeterDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
  health?: LoopReporter | undefined;
}

/** Starts the meter with the counts from the last run. */
export async function startLocalMeter(deps: LocalMeterDeps): Promise<RunningQuotaMeter> {
  const meter = new LocalQuotaMeter(deps);
  await meter.load();
  return meter;
}

/**
 * The quota meter for a single process. It decides in memory without waiting.
 *
 * A request that counts toward a day or month is admitted once its count is committed, in one
 * commit for all waiting requests. If the commit fails, the count is reverted and the request is
 * refused. After `kill -9`, the day and month counts therefore contain exactly the served requests,
 * plus at most those in flight. The minute is stored on a clean stop and starts empty after a
 * crash.
 */
class LocalQuotaMeter implements RunningQuotaMeter {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'error'>;
  readonly #quotaClock: QuotaClock;
  readonly #writer: CountWriter<Entry>;
  readonly #entries = new Map<string, Entry>();

  constructor({ db, clock, log, health }: LocalMeterDeps) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#quotaClock = new QuotaClock({ clock, log });
    this.#writer = new CountWriter({
      clock,
      health,
      write: (entries) => saveUses(db, entries),
      onError: (error) =>
        log.error({ event: 'quota.write_failed', err: error }, 'quota counts could not be written'),
      timeoutMs: COMMIT_TIMEOUT_MS,
    });
  }

  async load(): Promise<void> {
    for (const [customerId, counted] of await loadUses(this.#db)) {
      this.#entries.set(customerId, { customerId, use: useOf(counted) });
    }
    await this.#loadMinutes();
    const dayIds = Array.from(this.#entries.values(), ({ use }) => use.dayId);
    this.#quotaClock.warnOfCountsAhead(dayIds);
  }

  consume({ customerId, plan, cost, now }: MeterRequest): MeterResult | Promise<MeterResult> {
    const period = this.#quotaClock.periodOf(now);
    const moment = { now, period };
    const monotonicMs = this.#clock.monotonicMs();
    const entry = this.#entryOf(customerId);
    const { use } = entry;
    const reading = readUse(use, plan, { period, monotonicMs });
    const violated = fullWindows(reading, plan, cost);
    if (violated.length > 0) return refuse({ plan, violated, reading, moment });
    const hasQuotaCount = countRequest(use, reading, { plan, cost, monotonicMs });
    const headers = limitHeaders(plan, reading, moment);
    if (!hasQuotaCount) return { kind: 'admitted', headers, refund: () => undefined };
    const { dayId, monthId, generation } = use;
    const refund = this.#refundOnce(entry, { dayId, monthId, generation });
    const refundedHeaders = () => limitHeaders(plan, oneLess(reading), moment);
    const admitted = { kind: 'admitted', headers, refund, refundedHeaders } as const;
    if (isUnlimited(plan)) {
      this.#writer.saveLater(entry);
      return admitted;
    }
    return this.#writer.save(entry).then((isSaved) => {
      if (isSaved) return admitted;
      use.minute.remove(monotonicMs);
      refund();
      return UNAVAILABLE;
    });
  }

  async refresh(): Promise<void> {
    for (const [customerId, counted] of await loadUses(this.#db)) {
      const { use } = this.#entryOf(customerId);
      if (counted.generation > use.generation) Object.assign(use, counted);
    }
  }

  async stop(): Promise<void> {
    await this.#writer.stop();
    await this.#saveMinutes();
  }

  #entryOf(customerId: string): Entry {
    let entry = this.#entries.get(customerId);
    if (entry === undefined) {
      entry = { customerId, use: noUse() };
      this.#entries.set(customerId, entry);
    }
    return entry;
  }

  #refundOnce(entry: Entry, receipt: Receipt): () => void {
    let isRefunded = false;
    return () => {
      if (isRefunded) return;
      isRefunded = true;
      refundRequest(entry.use, receipt);
      this.#writer.saveLater(entry);
    };
  }

  /**
   * Loads the stored minute windows. Treats instants in the future as now. They occur if the wall
   * clock was set back.
   */
  async #loadMinutes(): Promise<void> {
    const now = this.#clock.now();
    const monotonicMs = this.#clock.monotonicMs();
    for (const { customerId, perMinute, admittedAt } of await takeMinutes(this.#db)) {
      const { use } = this.#entryOf(customerId);
      use.perMinute = perMinute;
      for (const at of admittedAt) use.minute.add(monotonicMs - Math.max(0, now - at));
    }
  }

  async #saveMinutes(): Promise<void> {
    const now = this.#clock.now();
    const monotonicMs = this.#clock.monotonicMs();
    const minutes = Array.from(this.#entries.values(), ({ customerId, use }) => {
      const times = use.minute.times(monotonicMs);
      const admittedAt = times.map((ms) => now - (monotonicMs - ms));
      return { customerId, perMinute: use.perMinute ?? 0, admittedAt };
    }).filter(({ admittedAt }) => admittedAt.length > 0);
    await saveMinutes(this.#db, minutes).catch((error: unknown) => {
      this.#log.error(
        { event: 'quota.write_failed', err: error },
        'requests of the last minute could not be written',
      );
    });
  }
}
