import type { ReadLimits } from '../domain/plan.ts';
import { limitHeaders } from '../domain/quota-window-headers.ts';
import {
  countRequest,
  type CustomerUse,
  fullWindows,
  isUnlimited,
  type Moment,
  noUse,
  oneLess,
  readUse,
  type Receipt,
} from '../domain/quota-window-use.ts';
import { Batcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { Queryable } from '../storage/db.ts';
import { QuotaClock } from './quota-clock.ts';
import {
  refuse,
  type RunningQuotaMeter,
  type MeterResult,
  type MeterRequest,
  UNAVAILABLE,
} from './quota-meter.ts';
import { loadUses } from './quota-store.ts';
import {
  refundShared,
  type SharedDecision,
  type SharedRequest,
  consumeShared,
} from './shared-quota-store.ts';
import { RefusalCache, StoreBreaker } from './store-guard.ts';

const REFUSAL_TTL_MS = 1_000;
/**
 * Maximum time that a request waits for the store. `quota` is for plans with a day or month quota,
 * and `unlimited` for all others.
 */
const TIMEOUT_MS = { quota: 4_000, unlimited: 500 };
/**
 * Maximum number of requests per statement. In a larger batch, the first request would wait too
 * long.
 */
const BATCH_SIZE_MAX = 200;

interface SharedMeterDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
  health?: LoopReporter | undefined;
  /** Time for which a refusal is repeated from memory. Defaults to one second. */
  refusalTtlMs?: number;
  /** Only for tests: measures the minute with this process's clock instead of the server's. */
  isMinuteByClock?: boolean;
}

/** Starts the meter. Warns if stored counts are ahead of the clock. */
export async function startSharedMeter(deps: SharedMeterDeps): Promise<RunningQuotaMeter> {
  const uses = await loadUses(deps.db);
  return new SharedQuotaMeter(
    deps,
    Array.from(uses.values(), ({ dayId }) => dayId),
  );
}

/**
 * The quota meter for several processes that share one PostgreSQL. The store makes every decision,
 * in one round trip for all waiting requests, so limits apply across all processes.
 *
 * While the store does not respond, plans with a day or month quota get 503, and plans without one
 * fall back to a minute limit per process.
 *
 * Processes learn about a changed plan at slightly different times. Until all of them have, a count
 * that was reset to zero by a lower limit may be reset again.
 */
class SharedQuotaMeter implements RunningQuotaMeter {
  readonly #clock: Clock;
  readonly #isMinuteByClock: boolean;
  readonly #quotaClock: QuotaClock;
  readonly #refusals: RefusalCache;
  readonly #refunds: PendingRefunds;
  readonly #breaker: StoreBreaker;
  readonly #fallback = new LocalMinutes();
  // Separate batchers, because only plans with quotas wait for the store's disk.
  readonly #batchers: Record<'quota' | 'unlimited', Batcher<SharedRequest, SharedDecision>>;

  constructor(deps: SharedMeterDeps, storedDayIds: readonly number[]) {
    const { db, clock, log, health, refusalTtlMs = REFUSAL_TTL_MS, isMinuteByClock = false } = deps;
    this.#clock = clock;
    this.#isMinuteByClock = isMinuteByClock;
    this.#quotaClock = new QuotaClock({ clock, log });
    this.#quotaClock.warnOfCountsAhead(storedDayIds);
    this.#refusals = new RefusalCache(refusalTtlMs);
    this.#refunds = new PendingRefunds({
      write: (customerId, receipt) => refundShared(db, customerId, receipt),
      onWritten: (customerId) => this.#refusals.delete(customerId),
      onError: (err) =>
        log.error({ event: 'quota.refund_failed', err }, 'a quota refund could not be written'),
    });
    this.#breaker = new StoreBreaker({
      clock,
      health,
      onOpen: (err) =>
        log.error({ event: 'store.unavailable', err }, 'the store does not count requests'),
    });
    const run = (takes: readonly SharedRequest[]) => consumeShared(db, takes);
    const options = { clock, run, maxSize: BATCH_SIZE_MAX, maxWaitMs: 0 };
    this.#batchers = { quota: new Batcher(options), unlimited: new Batcher(options) };
  }

  consume(request: MeterRequest): MeterResult | Promise<MeterResult> {
    const { customerId, plan, cost, now } = request;
    const period = this.#quotaClock.periodOf(now);
    const moment = { period, monotonicMs: this.#clock.monotonicMs() };
    // A pending refund may open a window that was full at a recent refusal.
    const hasRefund = this.#refunds.pending(customerId) !== undefined;
    const reading = hasRefund ? null : this.#refusals.get(customerId, plan, moment);
    if (reading !== null) {
      const violated = fullWindows(reading, plan, cost);
      if (violated.length > 0) return refuse({ plan, violated, reading, moment: { now, period } });
    }
    if (!this.#breaker.allowsRequest()) return this.#consumeWithoutStore(request, moment);
    return this.#consumeFromStore(request, moment);
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  async #consumeFromStore(request: MeterRequest, moment: Moment): Promise<MeterResult> {
    const { customerId, plan, cost } = request;
    const { period, monotonicMs } = moment;
    const atMs = this.#isMinuteByClock ? monotonicMs : null;
    const kind = isUnlimited(plan) ? 'unlimited' : 'quota';
    const decide = () => this.#batchers[kind].add({ customerId, plan, cost, period, atMs });
    // An earlier response already includes the pending refund, so this response must include it
    // too.
    const refund = this.#refunds.pending(customerId);
    const decision = await this.#breaker.run(
      () => (refund === undefined ? decide() : refund.then(decide)),
      TIMEOUT_MS[kind],
      (late) => {
        // The request has already been refused, so its late count is refunded.
        const isRefundable = late.isAdmitted && cost === 'all' && kind === 'quota';
        if (isRefundable) void this.#refunds.add(customerId, late.receipt);
      },
    );
    if (decision === null) return this.#consumeWithoutStore(request, moment);
    return this.#toResult(request, decision, moment);
  }

  #toResult(
    { customerId, plan, cost, now }: MeterRequest,
    { isAdmitted, reading, receipt }: SharedDecision,
    moment: Moment,
  ): MeterResult {
    const headerMoment = { now, period: moment.period };
    if (!isAdmitted) {
      this.#refusals.set(customerId, reading, plan, moment);
      const violated = fullWindows(reading, plan, cost);
      return refuse({ plan, violated, reading, moment: headerMoment });
    }
    this.#refusals.delete(customerId);
    if (isUnlimited(plan)) this.#fallback.add(customerId, plan, moment.monotonicMs);
    const headers = limitHeaders(plan, reading, headerMoment);
    if (cost === 'minute') return { kind: 'admitted', headers, refund: () => undefined };
    let isRefunded = false;
    return {
      kind: 'admitted',
      headers,
      refundedHeaders: () => limitHeaders(plan, oneLess(reading), headerMoment),
      refund: async () => {
        if (isRefunded) return;
        isRefunded = true;
        await this.#refunds.add(customerId, receipt);
      },
    };
  }

  #consumeWithoutStore(request: MeterRequest, moment: Moment): MeterResult {
    return isUnlimited(request.plan) ? this.#fallback.take(request, moment) : UNAVAILABLE;
  }
}

interface RefundDeps {
  write(customerId: string, receipt: Receipt): Promise<void>;
  onWritten(customerId: string): void;
  onError(error: unknown): void;
}

/** Refunds that are being written. */
class PendingRefunds {
  readonly #deps: RefundDeps;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(deps: RefundDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves once all refunds for the customer have been written. Returns undefined if there are
   * none.
   */
  pending(customerId: string): Promise<void> | undefined {
    return this.#pending.get(customerId);
  }

  async add(customerId: string, receipt: Receipt): Promise<void> {
    const earlier = this.#pending.get(customerId);
    const written = this.#write(customerId, receipt);
    const all = earlier === undefined ? written : earlier.then(() => written);
    this.#pending.set(customerId, all);
    await all;
    if (this.#pending.get(customerId) === all) this.#pending.delete(customerId);
  }

  /** Writes a refund. If it cannot be written, it is lost and the customer has one request less. */
  async #write(customerId: string, receipt: Receipt): Promise<void> {
    try {
      await this.#deps.write(customerId, receipt);
      this.#deps.onWritten(customerId);
    } catch (error) {
      this.#deps.onError(error);
    }
  }
}

/** The minute windows of customers without quotas, as seen by this process. */
class LocalMinutes {
  readonly #uses = new Map<string, CustomerUse>();

  /** Counts a request that the store admitted. */
  add(customerId: string, plan: ReadLimits, monotonicMs: number): void {
    const { minute } = this.#useOf(customerId);
    // `used` drops requests older than a minute.
    if (minute.used(monotonicMs) < plan.perMinute) minute.add(monotonicMs);
  }

  /** Decides without the store. */
  take({ customerId, plan, cost, now }: MeterRequest, moment: Moment): MeterResult {
    const use = this.#useOf(customerId);
    const headerMoment = { now, period: moment.period };
    const reading = readUse(use, plan, moment);
    const violated = fullWindows(reading, plan, cost);
    if (violated.length > 0) return refuse({ plan, violated, reading, moment: headerMoment });
    countRequest(use, reading, { plan, cost: 'minute', monotonicMs: moment.monotonicMs });
    const headers = limitHeaders(plan, reading, headerMoment);
    return { kind: 'admitted', headers, refund: () => undefined };
  }

  #useOf(customerId: string): CustomerUse {
    let use = this.#uses.get(customerId);
    if (use === undefined) this.#uses.set(customerId, (use = noUse()));
    return use;
  }
}
