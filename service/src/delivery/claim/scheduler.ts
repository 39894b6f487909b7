import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { TUNING } from '../tuning.ts';
import {
  type DueDelivery,
  type DueEndpointCache,
  type DueEndpoints,
  type EndpointScan,
  findDueEndpoints,
  loadDueDeliveries,
  loadInFlight,
} from './due-endpoints.ts';

/** The slots of a process: each holds one delivery in flight. */
export interface Slots {
  total: number;
  free: number;
  /** Used by slow endpoints. */
  slowInFlight: number;
  inFlightByCustomer: ReadonlyMap<string, number>;
}

export interface ScheduledDelivery {
  delivery: DueDelivery;
  endpoint: LockedEndpoint;
}

export interface ScheduleOptions {
  slots: Slots;
  /** Starts after this endpoint. */
  cursor: string;
  now: Instant;
  cache?: DueEndpointCache | undefined;
}

interface Schedule {
  scheduled: ScheduledDelivery[];
  /** The next claim starts after this endpoint. */
  cursor: string;
}

/**
 * Selects due deliveries for the free slots and locks their endpoints. Selects at most one delivery
 * per endpoint and symbol.
 */
export async function scheduleDue(tx: Transaction, options: ScheduleOptions): Promise<Schedule> {
  const { cache, slots } = options;
  const cached = cache?.get() ?? null;
  const schedule = await scheduleFrom(tx, options, cached);
  if (schedule.scheduled.length >= slots.free) {
    if (cached === null) cache?.set(schedule.scanned);
    return schedule;
  }
  cache?.clear();
  // Only a new scan can tell that nothing is due.
  if (schedule.scheduled.length > 0 || cached === null) return schedule;
  return scheduleFrom(tx, options, null);
}

async function scheduleFrom(
  tx: Transaction,
  { slots, cursor, now }: ScheduleOptions,
  cached: EndpointScan | null,
): Promise<Schedule & { scanned: EndpointScan }> {
  // More endpoints than slots, because the first ones may be at their limits.
  const limit = TUNING.endpointsPerClaim;
  const { scanned, ...due } = await findDueEndpoints(tx, { cursor, limit, now, cached });
  const { customerIds } = due;
  const firstCount = firstEndpointCount(due, slots.free);
  const [firstIds, remainingIds] = [due.ids.slice(0, firstCount), due.ids.slice(firstCount)];
  const scheduled = await scheduleEndpoints(tx, firstIds, { slots, customerIds, now });
  if (remainingIds.length === 0) return { scheduled, cursor: due.cursor, scanned };
  if (scheduled.length >= slots.free) {
    return { scheduled, cursor: firstIds.at(-1) ?? due.cursor, scanned };
  }
  const remainingSlots = withoutScheduled(slots, scheduled);
  const moreScheduled = await scheduleEndpoints(tx, remainingIds, {
    slots: remainingSlots,
    customerIds,
    now,
  });
  return { scheduled: [...scheduled, ...moreScheduled], cursor: due.cursor, scanned };
}

/**
 * The number of endpoints to try first. A few endpoints with eight deliveries each cost a fraction of
 * many with one each, because the statements cost per endpoint. Enough endpoints are tried for all to
 * have their turn within a round of claims. The others get the slots that remain.
 */
function firstEndpointCount({ ids, dueCount }: DueEndpoints, free: number): number {
  if (dueCount === null) return Math.min(ids.length, free);
  const toFillSlots = Math.ceil(free / TUNING.inFlightPerEndpoint);
  return Math.max(toFillSlots, Math.ceil(dueCount / TUNING.claimsPerRound));
}

async function scheduleEndpoints(
  tx: Transaction,
  ids: readonly string[],
  options: { slots: Slots; customerIds: ReadonlySet<string>; now: Instant },
): Promise<ScheduledDelivery[]> {
  const { slots, customerIds, now } = options;
  if (ids.length === 0) return [];
  // The statements run in this order but are sent together, which saves a round trip.
  const [locked, inFlight] = await Promise.all([
    lockEndpoints(tx, ids, { skipLocked: true }),
    loadInFlight(tx, ids),
  ]);
  // In the order of `ids`.
  const openEndpoints = [...inFlight].flatMap(([id, busySymbols]) => {
    const endpoint = locked.get(id);
    if (endpoint === undefined) return [];
    const { isOnProbation: isSlow } = endpoint.health;
    const capacity = capacityOf({ isSlow, inFlight: busySymbols.size });
    return capacity > 0 ? [{ endpoint, isSlow, busySymbols, capacity }] : [];
  });
  if (openEndpoints.length === 0) return [];
  // Two deliveries of one symbol count twice here, so the endpoint may get one less this time. To
  // search further for this rare case cost a tenth of all claims.
  const share = Math.ceil(slots.free / openEndpoints.length);
  const capacities = openEndpoints.map(({ endpoint, busySymbols, capacity }) => ({
    endpointId: endpoint.id,
    busySymbols,
    limit: Math.min(share, capacity),
  }));
  const due = Map.groupBy(
    await loadDueDeliveries(tx, capacities, now),
    ({ endpointId }) => endpointId,
  );
  const queues = openEndpoints.map(({ endpoint, isSlow, busySymbols }) => {
    const deliveries = sendable(endpoint, due.get(endpoint.id) ?? []);
    return { endpoint, isSlow, inFlight: busySymbols.size, deliveries };
  });
  const counts = shareSlots(
    queues.map(({ endpoint, isSlow, inFlight: inFlightCount, deliveries }) => ({
      endpointId: endpoint.id,
      customerId: endpoint.customerId,
      isSlow,
      inFlight: inFlightCount,
      dueCount: deliveries.length,
    })),
    slots,
    customerIds,
  );
  return queues.flatMap(({ endpoint, deliveries }) =>
    deliveries.slice(0, counts.get(endpoint.id) ?? 0).map((delivery) => ({ delivery, endpoint })),
  );
}

/** The first delivery of each symbol. Disabled endpoints get test deliveries only. */
function sendable(endpoint: LockedEndpoint, deliveries: readonly DueDelivery[]): DueDelivery[] {
  // Deliveries of a deleted endpoint are claimed so that they are cancelled.
  const getsAll = !endpoint.isDisabled || endpoint.isDeleted;
  const symbols = new Set<string>();
  return deliveries.filter(({ isTest, symbol }) => {
    if ((!isTest && !getsAll) || symbols.has(symbol)) return false;
    symbols.add(symbol);
    return true;
  });
}

function withoutScheduled(slots: Slots, scheduled: readonly ScheduledDelivery[]): Slots {
  const inFlightByCustomer = new Map(slots.inFlightByCustomer);
  for (const { endpoint } of scheduled) {
    const { customerId } = endpoint;
    inFlightByCustomer.set(customerId, (inFlightByCustomer.get(customerId) ?? 0) + 1);
  }
  const slowCount = scheduled.filter(({ endpoint }) => endpoint.health.isOnProbation).length;
  const slowInFlight = slots.slowInFlight + slowCount;
  return { ...slots, free: slots.free - scheduled.length, slowInFlight, inFlightByCustomer };
}

/** The due deliveries of one endpoint. */
export interface EndpointQueue {
  endpointId: string;
  customerId: string;
  isSlow: boolean;
  /** Due deliveries that may be sent beside those in flight. */
  dueCount: number;
  /** From all processes. */
  inFlight: number;
}

/** The number of deliveries that an endpoint may have in flight in addition. */
function capacityOf({ isSlow, inFlight }: Pick<EndpointQueue, 'isSlow' | 'inFlight'>): number {
  const limit = isSlow ? TUNING.inFlightPerSlowEndpoint : TUNING.inFlightPerEndpoint;
  return Math.max(0, limit - inFlight);
}

/**
 * Shares the free slots round-robin, in the order of the queues. Returns the number of deliveries to
 * send per endpoint.
 *
 * - An endpoint gets eight slots at most; a slow endpoint gets one.
 * - All slow endpoints together get half of the slots at most.
 * - A customer gets a quarter of the slots at most while another customer has due deliveries, be it
 *   one of `customerIds` that has no queue here.
 */
export function shareSlots(
  queues: readonly EndpointQueue[],
  slots: Slots,
  customerIds: ReadonlySet<string> = new Set(),
): Map<string, number> {
  const counts = new Map<string, number>();
  const byCustomer = new Map(slots.inFlightByCustomer);
  let { free, slowInFlight } = slots;
  const slowMax = Math.max(1, Math.floor(slots.total * TUNING.slowShare));
  const customerMax = Math.max(1, Math.floor(slots.total * TUNING.customerShare));
  const due = queues.filter(({ dueCount }) => dueCount > 0).map(({ customerId }) => customerId);
  const isShared = new Set([...customerIds, ...due]).size > 1;
  const mayHaveOneMore = (queue: EndpointQueue): boolean =>
    (counts.get(queue.endpointId) ?? 0) < Math.min(queue.dueCount, capacityOf(queue)) &&
    (!queue.isSlow || slowInFlight < slowMax) &&
    (!isShared || (byCustomer.get(queue.customerId) ?? 0) < customerMax);

  for (let isSharing = true; isSharing && free > 0;) {
    isSharing = false;
    for (const queue of queues) {
      if (free === 0) break;
      if (!mayHaveOneMore(queue)) continue;
      counts.set(queue.endpointId, (counts.get(queue.endpointId) ?? 0) + 1);
      byCustomer.set(queue.customerId, (byCustomer.get(queue.customerId) ?? 0) + 1);
      slowInFlight += queue.isSlow ? 1 : 0;
      free -= 1;
      isSharing = true;
    }
  }
  return counts;
}
