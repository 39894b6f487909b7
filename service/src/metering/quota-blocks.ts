import type { ReadLimits } from '../domain/plan.ts';
import {
  isSameQuota,
  type Moment,
  type Receipt,
  type UseReading,
} from '../domain/quota-window-use.ts';
import type { Instant } from '../platform/instant.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { systemRandom } from '../platform/random.ts';
import { QuotaDemand } from './quota-demand.ts';
import type { MeterRequest } from './quota-meter.ts';
import {
  BLOCK_HOLD_MS,
  type ReturnedBlock,
  type SharedDecision,
  type SharedRequests,
} from './shared-quota-store.ts';

/** A block without requests for this long is returned. */
const IDLE_MS = 2_000;
const SWEEP_INTERVAL_MS = 1_000;
/** A block is renewed at this age, or once a quarter of its units is left. */
const RENEWAL_AGE_MS = 3_500;
/** Smaller blocks are not renewed in the background: a call that leases one counts a request, too. */
const RENEWED_UNITS_MIN = 8;
/** Plans whose blocks would be smaller than this are counted request by request. */
const BLOCK_UNITS_MIN = 16;
/** Requests of a customer within a hold time before it gets blocks. */
const BUSY_REQUESTS = 4;

/** Units of a customer's quotas that this process may admit without the store. */
export interface Block {
  readonly customerId: string;
  readonly token: string;
  readonly plan: ReadLimits;
  readonly leasedAt: { now: Instant; moment: Moment };
  readonly units: number;
  /** The store's counts after the lease, with the whole block. */
  readonly reading: UseReading;
  readonly receipt: Receipt;
  /** Monotonic time of the first request. */
  firstAtMs: number;
  /** Whole milliseconds between the first request and each one, rounded up. */
  readonly usedMs: number[];
  /** Unused units of the day and month. Requests that cost only the minute leave them. */
  quotaLeft: number;
  isRenewalRequested: boolean;
}

export type EndedBlock = ReturnedBlock & { customerId: string };

/**
 * The blocks of this process. A customer has one in use, and at most one lease on its way. A block
 * serves only the plan and the quota period in which it was leased, and ends after `BLOCK_HOLD_MS`.
 * The store stops to reserve its minute units later than this process stops to use them.
 */
export class QuotaBlocks {
  readonly #percent: number;
  readonly #clock: Clock;
  readonly #write: (blocks: readonly EndedBlock[]) => Promise<void>;
  readonly #blocks = new Map<string, Block>();
  readonly #demand = new QuotaDemand();
  /** Blocks that a newer one has replaced, by customer. The next call or sweep returns them. */
  readonly #replaced = new Map<string, Block>();
  /** Blocks whose return has not been confirmed. The store ignores a second return. */
  readonly #unreturned = new Map<string, Block>();
  /** Starts the tokens of this process, so that no other process uses one of them. */
  readonly #processId = Buffer.from(systemRandom().bytes(16)).toString('hex');
  #leases = 0;
  #timer: Timer | null = null;
  #isStopped = false;

  /** `write` returns blocks to the store. */
  constructor(options: {
    percent: number;
    clock: Clock;
    write(blocks: readonly EndedBlock[]): Promise<void>;
  }) {
    this.#percent = options.percent;
    this.#clock = options.clock;
    this.#write = options.write;
  }

  /** Counts a request, so that a busy customer gets blocks. */
  addDemand({ customerId, plan, cost }: MeterRequest, nowMs: number): void {
    if (cost === 'all' && this.#isLarge(plan)) this.#demand.add(customerId, nowMs);
  }

  /** Admits a request from the customer's block. Returns null if the store must decide. */
  admit(request: MeterRequest, moment: Moment): Block | null {
    const { customerId, plan, cost, now } = request;
    const block = this.#blocks.get(customerId);
    if (block === undefined || !isCurrent(block, plan, now, moment)) return null;
    if (block.usedMs.length >= block.units) return null;
    if (cost === 'all') {
      if (block.quotaLeft === 0) return null;
      block.quotaLeft -= 1;
    }
    if (block.usedMs.length === 0) block.firstAtMs = moment.monotonicMs;
    block.usedMs.push(Math.ceil(moment.monotonicMs - block.firstAtMs));
    return block;
  }

  /** Returns true if the block is to be renewed now, which happens once. */
  isRenewalDue(block: Block, { monotonicMs }: Moment): boolean {
    if (block.isRenewalRequested || block.units < RENEWED_UNITS_MIN) return false;
    const left = Math.min(block.units - block.usedMs.length, block.quotaLeft);
    const ageMs = monotonicMs - block.leasedAt.moment.monotonicMs;
    return left * 4 <= block.units || ageMs >= RENEWAL_AGE_MS;
  }

  /** Puts a refunded unit back. Returns false if the block has ended. */
  takeBack(block: Block): boolean {
    if (this.#blocks.get(block.customerId) !== block) return false;
    block.quotaLeft += 1;
    return true;
  }

  /** Returns the lease to ask for beyond a customer's requests, or null for none. */
  leaseFor({ customerId, plan, cost }: MeterRequest): SharedRequests['lease'] {
    if (this.#isStopped || cost !== 'all' || !this.#isLarge(plan)) return null;
    const requests = this.#demand.of(customerId);
    if (requests < BUSY_REQUESTS) return null;
    this.#leases += 1;
    const token = `${this.#processId}-${this.#leases}`;
    return { token, extra: 2 * requests, percent: this.#percent };
  }

  /** Adds a block that the store has leased, in the place of the customer's last one. */
  add(call: SharedRequests, decision: SharedDecision, leasedAt: Block['leasedAt']): void {
    const { customerId, plan, lease } = call;
    const { leased: units, receipt } = decision;
    if (lease === null || units === 0) return;
    const { token } = lease;
    const earlier = this.#blocks.get(customerId);
    const reading =
      earlier === undefined ? decision.reading : withoutUnused(decision.reading, earlier, call);
    if (earlier !== undefined) this.#replace(earlier);
    const use = { firstAtMs: 0, usedMs: [], quotaLeft: units, isRenewalRequested: false };
    const block = { customerId, token, plan, leasedAt, units, reading, receipt, ...use };
    this.#blocks.set(customerId, block);
    this.#startTimer();
    if (this.#isStopped) void this.#returnEnded();
  }

  /** Returns the block that a call with requests, or a renewal, is to return to the store. */
  takeEnded(customerId: string, isRenewal: boolean): Block | null {
    const from = !isRenewal && this.#blocks.has(customerId) ? this.#blocks : this.#replaced;
    const block = from.get(customerId) ?? null;
    from.delete(customerId);
    return block;
  }

  /** Returns a block with the next sweep, because it is unknown if the store has its return. */
  returnLater(block: Block): void {
    this.#unreturned.set(block.token, block);
    this.#startTimer();
  }

  /** Returns all blocks. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#returnEnded();
  }

  #isLarge({ perMinute, perDay, perMonth }: ReadLimits): boolean {
    const smallest = Math.min(perMinute, perDay ?? Infinity, perMonth ?? Infinity);
    return smallest * this.#percent >= BLOCK_UNITS_MIN * 100;
  }

  #replace(block: Block): void {
    const earlier = this.#replaced.get(block.customerId);
    if (earlier !== undefined) this.#unreturned.set(earlier.token, earlier);
    this.#replaced.set(block.customerId, block);
  }

  #startTimer(): void {
    if (this.#isStopped) return;
    this.#timer ??= this.#clock.setTimer(SWEEP_INTERVAL_MS, () => {
      this.#timer = null;
      void this.#returnEnded();
    });
  }

  /** Returns blocks that are expired or idle. After `stop`, returns all. */
  async #returnEnded(): Promise<void> {
    if (this.#isStopped) this.#timer?.cancel();
    const nowMs = this.#clock.monotonicMs();
    for (const block of this.#blocks.values()) {
      const leasedAtMs = block.leasedAt.moment.monotonicMs;
      const lastMs = block.usedMs.at(-1);
      const lastAtMs = lastMs === undefined ? leasedAtMs : block.firstAtMs + lastMs;
      const isEnded = nowMs - lastAtMs >= IDLE_MS || nowMs - leasedAtMs >= BLOCK_HOLD_MS;
      if (!isEnded && !this.#isStopped) continue;
      this.#blocks.delete(block.customerId);
      this.#unreturned.set(block.token, block);
    }
    for (const block of this.#replaced.values()) this.#unreturned.set(block.token, block);
    this.#replaced.clear();
    const ended = [...this.#unreturned.values()];
    // A failed return is repeated by the next sweep. The breaker reports a store that is away.
    if (ended.length > 0) {
      await this.#write(ended.map((block) => returnOf(block, nowMs))).then(
        () => ended.forEach(({ token }) => this.#unreturned.delete(token)),
        () => undefined,
      );
    }
    if (this.#blocks.size + this.#replaced.size + this.#unreturned.size > 0) this.#startTimer();
  }
}

/** Describes the use of an ended block for the store. No request becomes older by the rounding. */
export function returnOf({ usedMs, ...block }: Block, nowMs: number): EndedBlock {
  return {
    customerId: block.customerId,
    token: block.token,
    firstAgeMs: usedMs.length === 0 ? 0 : Math.floor(nowMs - block.firstAtMs),
    usedMs,
    unused: block.quotaLeft,
  };
}

/** Reads the counts of the lease without the unused part of the block. */
export function readBlock(block: Block, nowMs: number): UseReading {
  const { reading, leasedAt, quotaLeft } = block;
  const ageMs = nowMs - leasedAt.moment.monotonicMs;
  return {
    minuteUsed: reading.minuteUsed - (block.units - block.usedMs.length),
    // The oldest request may have left the minute since. The next oldest is unknown.
    minuteFreeMs: Math.max(1, reading.minuteFreeMs - ageMs),
    dayId: reading.dayId,
    dayUsed: Math.max(0, reading.dayUsed - quotaLeft),
    monthId: reading.monthId,
    monthUsed: Math.max(0, reading.monthUsed - quotaLeft),
  };
}

/** Returns the counts after a lease without the units that return with the block before it. */
function withoutUnused(reading: UseReading, earlier: Block, call: SharedRequests): UseReading {
  const { dayId, monthId } = earlier.reading;
  const quotaUnused = call.plan === earlier.plan ? earlier.quotaLeft : 0;
  const minuteUnused = call.plan === earlier.plan ? earlier.units - earlier.usedMs.length : 0;
  return {
    ...reading,
    minuteUsed: Math.max(0, reading.minuteUsed - minuteUnused),
    dayUsed: Math.max(0, reading.dayUsed - (dayId === reading.dayId ? quotaUnused : 0)),
    monthUsed: Math.max(0, reading.monthUsed - (monthId === reading.monthId ? quotaUnused : 0)),
  };
}

function isCurrent(block: Block, plan: ReadLimits, now: Instant, moment: Moment): boolean {
  const { leasedAt } = block;
  // The wall clock is compared too, because the monotonic clock stops while a machine is suspended.
  if (moment.monotonicMs - leasedAt.moment.monotonicMs >= BLOCK_HOLD_MS) return false;
  if (Math.abs(now - leasedAt.now) >= BLOCK_HOLD_MS) return false;
  const { dayId, monthId } = leasedAt.moment.period;
  const isSamePeriod = dayId === moment.period.dayId && monthId === moment.period.monthId;
  return isSamePeriod && isSameQuota(block.plan, plan);
}
