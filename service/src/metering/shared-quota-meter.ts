import { limitHeaders } from '../domain/quota-window-headers.ts';
import { fullWindows, isUnlimited, type Moment, oneLess } from '../domain/quota-window-use.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { CommitJournal } from '../storage/commit-journal.ts';
import type { Queryable } from '../storage/db.ts';
import { MinuteFallback } from './minute-fallback.ts';
import { PendingRefunds } from './pending-refunds.ts';
import { type Block, QuotaBlocks } from './quota-blocks.ts';
import { QuotaClock } from './quota-clock.ts';
import {
  refuse,
  type Refused,
  type RunningQuotaMeter,
  type MeterResult,
  type MeterRequest,
  UNAVAILABLE,
} from './quota-meter.ts';
import { loadUses } from './quota-store.ts';
import { type Decision, decisionFromBlock, SharedQuotaBatches } from './shared-quota-batches.ts';
import { deleteOldMarks, refundShared, returnBlocks } from './shared-quota-store.ts';
import { RefusalCache, StoreBreaker } from './store-guard.ts';

const REFUSAL_TTL_MS = 1_000;
/**
 * Maximum time that a request waits for the store. `quota` is for plans with a day or month quota,
 * and `unlimited` for all others.
 */
const TIMEOUT_MS = { quota: 4_000, unlimited: 500 };
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

/**
 * The quota meter for several processes that share one PostgreSQL. The store makes the decisions, in
 * one round trip for all waiting requests, so limits apply across all processes. For a busy customer
 * of a large plan it also leases a block of units, which the process admits in memory and renews in the
 * background.
 *
 * While the store does not respond, plans with a day or month quota get 503, and plans without one
 * fall back to a minute limit per process.
 *
 * Processes learn about a changed plan at slightly different times. Until all of them have, a count
 * that was reset to zero by a lower limit may be reset again.
 */
class SharedQuotaMeter implements RunningQuotaMeter {
  readonly #clock: Clock;
  readonly #quotaClock: QuotaClock;
  readonly #refusals: RefusalCache;
  readonly #refunds: PendingRefunds;
  readonly #breaker: StoreBreaker;
  readonly #blocks: QuotaBlocks;
  readonly #batches: SharedQuotaBatches;
  readonly #fallback = new MinuteFallback();

  constructor(deps: SharedMeterDeps, storedDayIds: readonly number[]) {
    const { db, clock, log, health, refusalTtlMs = REFUSAL_TTL_MS, isMinuteByClock = false } = deps;
    const storeMs = () => (isMinuteByClock ? clock.monotonicMs() : null);
    this.#clock = clock;
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
      write: (blocks) => returnBlocks(db, blocks, storeMs()),
    });
    this.#batches = new SharedQuotaBatches({
      db,
      clock,
      journal: deps.journal ?? null,
      blocks: this.#blocks,
      storeMs,
    });
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
    this.#blocks.addDemand(request, moment.monotonicMs);
    const block = this.#blocks.admit(request, moment);
    if (block !== null) {
      if (this.#blocks.isRenewalDue(block, moment)) this.#renew(block, request, moment);
      return this.#admit(request, decisionFromBlock(block, moment.monotonicMs), moment);
    }
    if (!this.#breaker.allowsRequest()) return this.#consumeWithoutStore(request, moment);
    return this.#consumeFromStore(request, moment);
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the unused units of all blocks. */
  async stop(): Promise<void> {
    // A renewal that is on its way adds a block.
    await this.#batches.stop();
    await this.#blocks.stop();
  }

  /** A failed renewal is not repeated. The store is asked again when the block has ended. */
  #renew(block: Block, request: MeterRequest, moment: Moment): void {
    if (!this.#breaker.allowsRequest()) return;
    block.isRenewalRequested = true;
    void this.#breaker.run(
      () => this.#batches.renew(request, moment),
      TIMEOUT_MS.quota,
      () => undefined,
    );
  }

  async #consumeFromStore(request: MeterRequest, moment: Moment): Promise<MeterResult> {
    const kind = isUnlimited(request.plan) ? 'unlimited' : 'quota';
    const decide = () => this.#batches.decide(request, moment);
    // An earlier response already includes the pending refund, so this response must include it
    // too.
    const refund = this.#refunds.pending(request.customerId);
    const decision = await this.#breaker.run(
      () => (refund === undefined ? decide() : refund.then(decide)),
      TIMEOUT_MS[kind],
      (late) => {
        // The request has already been refused, so its late count is refunded.
        const isRefundable = late.isAdmitted && request.cost === 'all' && kind === 'quota';
        if (isRefundable) void this.#refund(request, late);
      },
    );
    if (decision === null) return this.#consumeWithoutStore(request, moment);
    return decision.isAdmitted
      ? this.#admit(request, decision, moment)
      : this.#refuse(request, decision, moment);
  }

  #refuse(request: MeterRequest, decision: Decision, moment: Moment): Refused {
    const { customerId, plan, cost, now } = request;
    const { reading, heldMs } = decision;
    const violated = fullWindows(reading, plan, cost);
    const refused = refuse({ plan, violated, reading, moment: { now, period: moment.period } });
    if (heldMs > 0) return retrySooner(refused, now, heldMs);
    this.#refusals.set(customerId, reading, plan, moment);
    return refused;
  }

  #admit(request: MeterRequest, decision: Decision, moment: Moment): MeterResult {
    const { customerId, plan, cost, now } = request;
    const { reading } = decision;
    if (decision.block === null) this.#refusals.delete(customerId);
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
        await this.#refund(request, decision);
      },
    };
  }

  async #refund({ customerId }: MeterRequest, { block, receipt }: Decision): Promise<void> {
    if (block !== null && this.#blocks.takeBack(block)) return;
    await this.#refunds.add(customerId, receipt);
  }

  #consumeWithoutStore(request: MeterRequest, moment: Moment): MeterResult {
    return isUnlimited(request.plan) ? this.#fallback.take(request, moment) : UNAVAILABLE;
  }
}

/** Shortens the wait to the end of other processes' blocks, whose unused units return then. */
function retrySooner(refused: Refused, now: Instant, heldMs: number): Refused {
  const retryAfterSeconds = Math.ceil(heldMs / 1_000);
  if (retryAfterSeconds >= refused.retryAfterSeconds) return refused;
  return { ...refused, retryAfterSeconds, resetAt: now + retryAfterSeconds * 1_000 };
}
