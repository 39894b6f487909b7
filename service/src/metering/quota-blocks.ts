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
/** Plans whose blocks would be smaller than this are counted request by request. */
const BLOCK_UNITS_MIN = 16;
/** Requests of a customer within a hold time before it gets blocks. */
const BUSY_REQUESTS = 4;
const CUSTOMERS_MAX = 10_000;

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
  /** Monotonic times of the admitted requests. */
  readonly usedAtMs: number[];
  /** Unused units of the day and month. Requests that cost only the minute leave them. */
  quotaLeft: number;
}

export type EndedBlock = ReturnedBlock & { customerId: string };

interface Demand {
  sinceMs: number;
  requests: number;
  previous: number;
}

/**
 * The blocks of this process. A customer has at most one. A block serves only the plan and the quota
 * period in which it was leased, and ends after `BLOCK_HOLD_MS`. The store stops to reserve its
 * minute units later than this process stops to use them.
 */
export class QuotaBlocks {
  readonly #percent: number;
  readonly #clock: Clock;
  readonly #write: (blocks: readonly EndedBlock[]) => Promise<void>;
  readonly #blocks = new Map<string, Block>();
  readonly #demand = new Map<string, Demand>();
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

  /** Admits a request from the customer's block. Returns null if the store must decide. */
  admit(request: MeterRequest, moment: Moment): { block: Block; reading: UseReading } | null {
    const { customerId, plan, cost, now } = request;
    if (cost === 'all') this.#countDemand(request, moment.monotonicMs);
    const block = this.#blocks.get(customerId);
    if (block === undefined || !isCurrent(block, plan, now, moment)) return null;
    if (block.usedAtMs.length >= block.units) return null;
    if (cost === 'all') {
      if (block.quotaLeft === 0) return null;
      block.quotaLeft -= 1;
    }
    block.usedAtMs.push(moment.monotonicMs);
    return { block, reading: readBlock(block, moment.monotonicMs) };
  }

  /** Puts a refunded unit back. Returns false if the block has ended. */
  takeBack(block: Block): boolean {
    if (this.#blocks.get(block.customerId) !== block) return false;
    block.quotaLeft += 1;
    return true;
  }

  /** Returns the lease to ask for beyond a customer's requests, or null for none. */
  leaseFor(customerId: string, plan: ReadLimits): SharedRequests['lease'] {
    const demand = this.#demand.get(customerId);
    if (this.#isStopped || demand === undefined || !this.#isLarge(plan)) return null;
    const requests = Math.max(demand.requests, demand.previous);
    if (requests < BUSY_REQUESTS) return null;
    this.#leases += 1;
    const token = `${this.#processId}-${this.#leases}`;
    return { token, extra: 2 * requests, percent: this.#percent };
  }

  /** Adds a block that the store has leased. */
  add(call: SharedRequests, decision: SharedDecision, leasedAt: Block['leasedAt']): void {
    const { customerId, plan, lease } = call;
    const { leased: units, reading, receipt } = decision;
    if (lease === null || units === 0) return;
    const { token } = lease;
    const block = { customerId, token, plan, leasedAt, units, reading, receipt };
    const earlier = this.end(customerId);
    if (earlier !== null) this.#unreturned.set(earlier.token, earlier);
    this.#blocks.set(customerId, { ...block, usedAtMs: [], quotaLeft: units });
    this.#startTimer();
    if (this.#isStopped) void this.#returnEnded();
  }

  /** Ends the customer's block, so that the caller returns it. */
  end(customerId: string): Block | null {
    const block = this.#blocks.get(customerId) ?? null;
    this.#blocks.delete(customerId);
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

  #countDemand({ customerId, plan }: MeterRequest, nowMs: number): void {
    if (!this.#isLarge(plan)) return;
    let demand = this.#demand.get(customerId);
    if (demand === undefined) {
      if (this.#demand.size >= CUSTOMERS_MAX) this.#demand.clear();
      this.#demand.set(customerId, (demand = { sinceMs: nowMs, requests: 0, previous: 0 }));
    }
    const ageMs = nowMs - demand.sinceMs;
    if (ageMs >= BLOCK_HOLD_MS) {
      demand.previous = ageMs < 2 * BLOCK_HOLD_MS ? demand.requests : 0;
      demand.requests = 0;
      demand.sinceMs = nowMs;
    }
    demand.requests += 1;
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
      const { monotonicMs } = block.leasedAt.moment;
      const isIdle = nowMs - (block.usedAtMs.at(-1) ?? monotonicMs) >= IDLE_MS;
      const isExpired = nowMs - monotonicMs >= BLOCK_HOLD_MS;
      if (!isIdle && !isExpired && !this.#isStopped) continue;
      this.#blocks.delete(block.customerId);
      this.#unreturned.set(block.token, block);
    }
    const ended = [...this.#unreturned.values()];
    // A failed return is repeated by the next sweep. The breaker reports a store that is away.
    if (ended.length > 0) {
      await this.#write(ended.map((block) => returnOf(block, nowMs))).then(
        () => ended.forEach(({ token }) => this.#unreturned.delete(token)),
        () => undefined,
      );
    }
    if (this.#blocks.size + this.#unreturned.size > 0) this.#startTimer();
  }
}

/** Describes the use of an ended block for the store. */
export function returnOf(block: Block, nowMs: number): EndedBlock {
  return {
    customerId: block.customerId,
    token: block.token,
    agesMs: block.usedAtMs.map((atMs) => Math.floor(nowMs - atMs)),
    unused: block.quotaLeft,
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

/** Reads the counts of the lease without the unused part of the block. */
function readBlock(block: Block, nowMs: number): UseReading {
  const { reading, leasedAt, quotaLeft } = block;
  const ageMs = nowMs - leasedAt.moment.monotonicMs;
  return {
    ...reading,
    minuteUsed: reading.minuteUsed - (block.units - block.usedAtMs.length),
    // The oldest request may have left the minute since. The next oldest is unknown.
    minuteFreeMs: Math.max(1, reading.minuteFreeMs - ageMs),
    dayUsed: Math.max(0, reading.dayUsed - quotaLeft),
    monthUsed: Math.max(0, reading.monthUsed - quotaLeft),
  };
}
