import {
  isSameQuota,
  isUnlimited,
  type Moment,
  type Receipt,
  type UseReading,
} from '../domain/quota-window-use.ts';
import { Batcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { CommitJournal } from '../storage/commit-journal.ts';
import type { Queryable } from '../storage/db.ts';
import { type Block, type QuotaBlocks, readBlock, returnOf } from './quota-blocks.ts';
import type { MeterRequest } from './quota-meter.ts';
import { consumeShared, type SharedDecision, type SharedRequests } from './shared-quota-store.ts';

/**
 * Maximum number of requests per statement. In a larger batch, the first request would wait too
 * long.
 */
const BATCH_SIZE_MAX = 200;

/** The decision about one request, and the counts after it. */
export interface Decision {
  isAdmitted: boolean;
  reading: UseReading;
  receipt: Receipt;
  heldMs: number;
  /** The block that admitted the request. Null if the store has decided. */
  block: Block | null;
}

interface Pending {
  request: MeterRequest;
  moment: Moment;
  /** True for a lease in the background, which counts no request. */
  isRenewal: boolean;
}

/** Pending requests that one call to the store can count. */
interface Group extends Pick<Pending, 'request' | 'moment'> {
  /** Places in the batch of the requests, without renewals. */
  places: number[];
}

interface BatchesDeps {
  db: Queryable;
  clock: Clock;
  journal: CommitJournal | null;
  blocks: QuotaBlocks;
  /** Returns the time to use instead of the server's clock, or null. */
  storeMs(): number | null;
}

/**
 * Lets the store decide, in one statement for all requests that wait. The statement also returns and
 * leases the blocks of the same customers.
 */
export class SharedQuotaBatches {
  readonly #deps: BatchesDeps;
  // Separate batchers, because only plans with quotas wait for the store's disk.
  readonly #batchers: Record<'quota' | 'unlimited', Batcher<Pending, Decision>>;

  constructor(deps: BatchesDeps) {
    this.#deps = deps;
    // Counts of the minute alone are not worth a journal.
    const batcher = (journal: CommitJournal | null) =>
      new Batcher<Pending, Decision>({
        clock: deps.clock,
        run: (batch) => this.#decide(batch, journal),
        maxSize: BATCH_SIZE_MAX,
        maxWaitMs: 0,
      });
    this.#batchers = { quota: batcher(deps.journal), unlimited: batcher(null) };
  }

  decide(request: MeterRequest, moment: Moment): Promise<Decision> {
    return this.#add({ request, moment, isRenewal: false });
  }

  /** Leases the next block of a customer while its requests use the present one. */
  renew(request: MeterRequest, moment: Moment): Promise<unknown> {
    return this.#add({ request: { ...request, cost: 'all' }, moment, isRenewal: true });
  }

  /** Resolves once no call is on its way. */
  async stop(): Promise<void> {
    await Promise.all(Object.values(this.#batchers).map((batcher) => batcher.stop()));
  }

  #add(pending: Pending): Promise<Decision> {
    return this.#batchers[isUnlimited(pending.request.plan) ? 'unlimited' : 'quota'].add(pending);
  }

  async #decide(batch: readonly Pending[], journal: CommitJournal | null): Promise<Decision[]> {
    const { db, clock, blocks } = this.#deps;
    const monotonicMs = clock.monotonicMs();
    const now = clock.now();
    const decisions: Decision[] = [];
    const groups = this.#group(batch, monotonicMs, decisions);
    if (groups.length === 0) return decisions;
    const ended: Block[] = [];
    const calls = groups.map((group) => this.#callFor(group, monotonicMs, ended));
    const results = await consumeShared(db, calls, journal).catch((error: unknown) => {
      for (const block of ended) blocks.returnLater(block);
      // The whole batch fails, so their requests are not served.
      for (const { block } of decisions.filter(Boolean)) if (block !== null) blocks.takeBack(block);
      throw error;
    });
    for (const [at, { places, moment }] of groups.entries()) {
      const call = calls[at] as SharedRequests;
      const result = results[at] as SharedDecision;
      blocks.add(call, result, { now, moment: { period: moment.period, monotonicMs } });
      for (const [order, place] of places.entries()) {
        decisions[place] = decisionFor(call, result, order);
      }
    }
    return decisions;
  }

  /**
   * Groups the requests for the store. Requests that a new block can admit by now are decided at
   * once.
   */
  #group(batch: readonly Pending[], monotonicMs: number, decisions: Decision[]): Group[] {
    const groups: Group[] = [];
    const byCustomer = new Map<string, Group>();
    for (const [place, { request, moment, isRenewal }] of batch.entries()) {
      const { customerId } = request;
      if (!isRenewal) {
        const { period } = moment;
        const block = this.#deps.blocks.admit(request, { period, monotonicMs });
        if (block !== null) {
          decisions[place] = decisionFromBlock(block, monotonicMs);
          continue;
        }
      }
      let group = byCustomer.get(customerId);
      if (group === undefined || !isCountedWith(group, request, moment)) {
        groups.push((group = { request, moment, places: [] }));
        byCustomer.set(customerId, group);
      }
      if (!isRenewal) group.places.push(place);
    }
    return groups;
  }

  /** Describes a group for the store. It returns a block of the customer. */
  #callFor({ request, moment, places }: Group, nowMs: number, ended: Block[]): SharedRequests {
    const { blocks, storeMs } = this.#deps;
    const { customerId, plan, cost } = request;
    const block = blocks.takeEnded(customerId, places.length === 0);
    if (block !== null) ended.push(block);
    return {
      customerId,
      plan,
      cost,
      period: moment.period,
      atMs: storeMs(),
      units: places.length,
      lease: blocks.leaseFor(request),
      returned: block === null ? null : returnOf(block, nowMs),
    };
  }
}

/** Returns true if one call can count a request together with those of the group. */
function isCountedWith({ request, moment }: Group, other: MeterRequest, at: Moment): boolean {
  return (
    request.cost === other.cost &&
    isSameQuota(request.plan, other.plan) &&
    moment.period.dayId === at.period.dayId &&
    moment.period.monthId === at.period.monthId
  );
}

export function decisionFromBlock(block: Block, nowMs: number): Decision {
  const { receipt } = block;
  return { isAdmitted: true, reading: readBlock(block, nowMs), receipt, heldMs: 0, block };
}

/** Returns the decision about the request at `order` in a call, with the counts after it. */
function decisionFor(call: SharedRequests, result: SharedDecision, order: number): Decision {
  const { admitted, leased, heldMs, receipt, reading } = result;
  const isAdmitted = order < admitted;
  const later = leased + (isAdmitted ? admitted - 1 - order : 0);
  if (later === 0) return { isAdmitted, heldMs, receipt, reading, block: null };
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
    block: null,
  };
}
