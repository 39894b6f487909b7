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
  type UseReading,
} from '../domain/quota-window-use.ts';
import { Batcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { CommitJournal } from '../storage/commit-journal.ts';
import type { Queryable } from '../storage/db.ts';
import { QuotaClock } from './quota-clock.ts';
import { PendingRefunds } from './pending-refunds.ts';
import { type Block, QuotaBlocks, returnOf } from './quota-blocks.ts';
import {
  refuse,
  type Refused,
  type RunningQuotaMeter,
  type MeterResult,
  type MeterRequest,
  UNAVAILABLE,
} from './quota-meter.ts';
import { loadUses } from './quota-store.ts';
import {
  consumeShared,
  deleteOldMarks,
  refundShared,
  returnBlocks,
  type SharedDecision,
  type SharedRequests,
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
  /** Records the counts that the store has acknowledged. */
  journal?: CommitJournal | undefined;
  /** Maximum size of a block, as a percentage of each remaining quota. 0 leases no blocks. */
  blockPercent?: number;
  /** Time for which a refusal is repeated from memory. Defaults to one second. */
  refusalTtlMs?: number;
  /** Only for tests: measures the minute with this process's clock instead of the server's. */
  isMinuteByClock?: boolean;
}

/** Starts the meter. Warns if stored counts are ahead of the clock. */
export async function startSharedMeter(deps: SharedMeterDeps): Promise<RunningQuotaMeter> {
  if (deps.journal !== undefined) await deleteOldMarks(deps.db);
  const uses = await loadUses(deps.db);
  return new SharedQuotaMeter(
    deps,
    Array.from(uses.values(), ({ dayId }) => dayId),
  );
}

interface PendingRequest {
  request: MeterRequest;
  moment: Moment;
}

/** The decision about one request, and the counts after it. */
interface Decision {
  isAdmitted: boolean;
  reading: UseReading;
  receipt: Receipt;
  heldMs: number;
}

/**
 * The quota meter for several processes that share one PostgreSQL. The store makes the decisions, in
 * one round trip for all waiting requests, so limits apply across all processes. For a busy customer
 * of a large plan it also leases a block of units, which the process admits in memory.
 *
 * While the store does not respond, plans with a day or month quota get 503, and plans without one
 * fall back to a minute limit per process.
 *
 * Processes learn about a changed plan at slightly different times. Until all of them have, a count
 * that was reset to zero by a lower limit may be reset again.
 */
class SharedQuotaMeter implements RunningQuotaMeter {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #isMinuteByClock: boolean;
  readonly #quotaClock: QuotaClock;
  readonly #refusals: RefusalCache;
  readonly #refunds: PendingRefunds;
  readonly #breaker: StoreBreaker;
  readonly #blocks: QuotaBlocks;
  readonly #fallback = new LocalMinutes();
  // Separate batchers, because only plans with quotas wait for the store's disk.
  readonly #batchers: Record<'quota' | 'unlimited', Batcher<PendingRequest, Decision>>;

  constructor(deps: SharedMeterDeps, storedDayIds: readonly number[]) {
    const { db, clock, log, health, refusalTtlMs = REFUSAL_TTL_MS, isMinuteByClock = false } = deps;
    this.#db = db;
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
    this.#blocks = new QuotaBlocks({
      percent: deps.blockPercent ?? 0,
      clock,
      write: (blocks) => returnBlocks(db, blocks, this.#storeMs()),
    });
    // Counts of the minute alone are not worth a journal.
    const batcher = (journal: CommitJournal | null) =>
      new Batcher<PendingRequest, Decision>({
        clock,
        run: (requests) => this.#decide(requests, journal),
        maxSize: BATCH_SIZE_MAX,
        maxWaitMs: 0,
      });
    this.#batchers = { quota: batcher(deps.journal ?? null), unlimited: batcher(null) };
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
    const fromBlock = this.#blocks.admit(request, moment);
    if (fromBlock !== null) return this.#admitFromBlock(request, fromBlock, moment);
    if (!this.#breaker.allowsRequest()) return this.#consumeWithoutStore(request, moment);
    return this.#consumeFromStore(request, moment);
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the unused units of all blocks. */
  stop(): Promise<void> {
    return this.#blocks.stop();
  }

  #storeMs(): number | null {
    return this.#isMinuteByClock ? this.#clock.monotonicMs() : null;
  }

  async #consumeFromStore(request: MeterRequest, moment: Moment): Promise<MeterResult> {
    const { customerId, plan, cost } = request;
    const kind = isUnlimited(plan) ? 'unlimited' : 'quota';
    const decide = () => this.#batchers[kind].add({ request, moment });
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

  /** Lets the store decide about a batch, in one call for each group of equal requests. */
  async #decide(
    batch: readonly PendingRequest[],
    journal: CommitJournal | null,
  ): Promise<Decision[]> {
    const monotonicMs = this.#clock.monotonicMs();
    const leasedAt = { now: this.#clock.now(), monotonicMs };
    const groups = [...Map.groupBy(batch.keys(), (index) => groupKey(batch[index])).values()];
    const ended: Block[] = [];
    const calls = groups.map((indexes) => {
      const { request, moment } = batch[indexes[0] ?? 0] as PendingRequest;
      const { customerId, plan, cost } = request;
      const block = this.#blocks.end(customerId);
      if (block !== null) ended.push(block);
      return {
        customerId,
        plan,
        cost,
        period: moment.period,
        atMs: this.#storeMs(),
        units: indexes.length,
        lease: cost === 'all' ? this.#blocks.leaseFor(customerId, plan) : null,
        returned: block === null ? null : returnOf(block, monotonicMs),
      };
    });
    const results = await consumeShared(this.#db, calls, journal).catch((error: unknown) => {
      for (const block of ended) this.#blocks.returnLater(block);
      throw error;
    });
    const decisions: Decision[] = [];
    groups.forEach((indexes, at) => {
      const call = calls[at] as SharedRequests;
      const result = results[at] as SharedDecision;
      const { now } = leasedAt;
      this.#blocks.add(call, result, { now, moment: { period: call.period, monotonicMs } });
      indexes.forEach((index, place) => (decisions[index] = decisionFor(call, result, place)));
    });
    return decisions;
  }

  #toResult(request: MeterRequest, decision: Decision, moment: Moment): MeterResult {
    const { customerId, plan, cost, now } = request;
    const { isAdmitted, reading, receipt, heldMs } = decision;
    if (!isAdmitted) {
      const violated = fullWindows(reading, plan, cost);
      const refused = refuse({
        plan,
        violated,
        reading,
        moment: { now, period: moment.period },
      });
      if (heldMs > 0) return retrySooner(refused, now, heldMs);
      this.#refusals.set(customerId, reading, plan, moment);
      return refused;
    }
    this.#refusals.delete(customerId);
    return this.#admit(request, { reading, moment }, () => this.#refunds.add(customerId, receipt));
  }

  #admitFromBlock(
    request: MeterRequest,
    { block, reading }: { block: Block; reading: UseReading },
    moment: Moment,
  ): MeterResult {
    return this.#admit(request, { reading, moment }, async () => {
      if (this.#blocks.takeBack(block)) return;
      await this.#refunds.add(request.customerId, block.receipt);
    });
  }

  #admit(
    { customerId, plan, cost, now }: MeterRequest,
    { reading, moment }: { reading: UseReading; moment: Moment },
    refund: () => Promise<void>,
  ): MeterResult {
    if (isUnlimited(plan)) this.#fallback.add(customerId, plan, moment.monotonicMs);
    const headerMoment = { now, period: moment.period };
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
        await refund();
      },
    };
  }

  #consumeWithoutStore(request: MeterRequest, moment: Moment): MeterResult {
    return isUnlimited(request.plan) ? this.#fallback.take(request, moment) : UNAVAILABLE;
  }
}

/** Returns a key that is equal for requests that one call to the store can count. */
function groupKey(pending: PendingRequest | undefined): string {
  if (pending === undefined) return '';
  const { customerId, cost, plan } = pending.request;
  const { dayId, monthId } = pending.moment.period;
  const { perMinute, perDay, perMonth } = plan;
  return `${customerId} ${cost} ${dayId} ${monthId} ${perMinute} ${perDay} ${perMonth}`;
}

/** Returns the decision about the request at `place` in a call, with the counts after it. */
function decisionFor(call: SharedRequests, result: SharedDecision, place: number): Decision {
  const { admitted, leased, heldMs, receipt, reading } = result;
  const isAdmitted = place < admitted;
  const later = leased + (isAdmitted ? admitted - 1 - place : 0);
  if (later === 0) return { isAdmitted, heldMs, receipt, reading };
  const laterQuota = call.cost === 'all' ? later : 0;
  return {
    isAdmitted,
    heldMs,
    receipt,
    reading: {
      ...reading,
      minuteUsed: reading.minuteUsed - later,
      dayUsed: reading.dayUsed - (call.plan.perDay === null ? 0 : laterQuota),
      monthUsed: reading.monthUsed - (call.plan.perMonth === null ? 0 : laterQuota),
    },
  };
}

/** Shortens the wait to the end of other processes' blocks, whose unused units return then. */
function retrySooner(refused: Refused, now: Instant, heldMs: number): Refused {
  const retryAfterSeconds = Math.ceil(heldMs / 1_000);
  if (retryAfterSeconds >= refused.retryAfterSeconds) return refused;
  return { ...refused, retryAfterSeconds, resetAt: now + retryAfterSeconds * 1_000 };
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
