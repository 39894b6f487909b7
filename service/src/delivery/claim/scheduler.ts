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
  loadBusySymbols,
  loadDueDeliveries,
} from './due-endpoints.ts';
import type { QueuePositions } from './queue-positions.ts';

/** The slots of a process. Each slot holds one delivery in flight. */
export interface Slots {
  total: number;
  free: number;
  /** Slots used by slow endpoints. */
  slowInFlight: number;
  inFlightByCustomer: ReadonlyMap<string, number>;
}

export interface ScheduledDelivery {
  delivery: DueDelivery;
  endpoint: LockedEndpoint;
}

export interface ScheduleOptions {
  slots: Slots;
  /** Endpoint after which the claim starts. */
  cursor: string;
  now: Instant;
  cache?: DueEndpointCache | undefined;
  /** Endpoints that the transaction has locked already. By default, it locks those it considers. */
  locked?: ReadonlyMap<string, LockedEndpoint> | undefined;
}

interface Schedule {
  scheduled: ScheduledDelivery[];
  /** Endpoint after which the next claim starts. */
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
  // A cached scan may be out of date, so only a new scan can show that nothing is due.
  if (schedule.scheduled.length > 0 || cached === null) return schedule;
  return scheduleFrom(tx, options, null);
}

/** Selects due deliveries of the endpoints of a scan, or of a new scan. */
export async function scheduleFrom(
  tx: Transaction,
  { slots, cursor, now, cache, locked }: ScheduleOptions,
  cached: EndpointScan | null,
): Promise<Schedule & { scanned: EndpointScan }> {
  // Considers more endpoints than there are slots, because the first ones may be at their limits.
  const limit = TUNING.endpointsPerClaim;
  const positions = cache?.positions;
  const search = { cursor, limit, now, cached, positions };
  const { scanned, ...due } = await findDueEndpoints(tx, search);
  const { customerIds } = due;
  const firstCount = firstEndpointCount(due, slots.free);
  const [firstIds, remainingIds] = [due.ids.slice(0, firstCount), due.ids.slice(firstCount)];
  const options = { customerIds, now, positions, locked };
  const scheduled = await scheduleEndpoints(tx, firstIds, { ...options, slots });
  if (remainingIds.length === 0) return { scheduled, cursor: due.cursor, scanned };
  if (scheduled.length >= slots.free) {
    return { scheduled, cursor: firstIds.at(-1) ?? due.cursor, scanned };
  }
  const remainingSlots = withoutScheduled(slots, scheduled);
  const moreScheduled = await scheduleEndpoints(tx, remainingIds, {
    ...options,
    slots: remainingSlots,
  });
  return { scheduled: [...scheduled, ...moreScheduled], cursor: due.cursor, scanned };
}

/**
 * Returns the number of endpoints to try first. Statements have a cost per endpoint, so a few
 * endpoints with eight deliveries each are much cheaper than many with one each. The number is
 * large enough for every endpoint to have a turn within a round of claims. The remaining endpoints
 * share the slots that are left.
 */
function firstEndpointCount({ ids, dueCount }: DueEndpoints, free: number): number {
  if (dueCount === null) return Math.min(ids.length, free);
  const toFillSlots = Math.ceil(free / TUNING.inFlightPerEndpoint);
  return Math.max(toFillSlots, Math.ceil(dueCount / TUNING.claimsPerRound));
}

async function scheduleEndpoints(
  tx: Transaction,
  ids: readonly string[],
  options: Pick<ScheduleOptions, 'slots' | 'now' | 'locked'> & {
    customerIds: ReadonlySet<string>;
    positions: QueuePositions | undefined;
  },
): Promise<ScheduledDelivery[]> {
  const { slots, customerIds, now, positions } = options;
  if (ids.length === 0) return [];
  // The statements run in this order but are sent together to save a round trip.
  const [locked, busy] = await Promise.all([
    options.locked ?? lockEndpoints(tx, ids, { skipLocked: true }),
    loadBusySymbols(tx, ids),
  ]);
  // Keeps the order of `ids`.
  const openEndpoints = [...busy].flatMap(([id, busySymbols]) => {
    const endpoint = locked.get(id);
    if (endpoint === undefined) return [];
    const { isOnProbation: isSlow } = endpoint.health;
    const capacity = capacityOf({ isSlow, inFlight: busySymbols.size });
    return capacity > 0 ? [{ endpoint, isSlow, busySymbols, capacity }] : [];
  });
  if (openEndpoints.length === 0) return [];
  // Two due deliveries for the same symbol both count toward the limit here, although only one of
  // them can be sent, so this claim may take one delivery too few from the endpoint. Loading more
  // deliveries to handle this rare case made every claim a tenth more expensive.
  const share = Math.ceil(slots.free / openEndpoints.length);
  const capacities = openEndpoints.map(({ endpoint, busySymbols, capacity }) => ({
    endpointId: endpoint.id,
    busySymbols,
    limit: Math.min(share, capacity),
    dueFrom: positions?.dueFrom(endpoint.id) ?? null,
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

/**
 * Returns the first delivery for each symbol that may be sent. Disabled endpoints receive only test
 * deliveries.
 */
function sendable(endpoint: LockedEndpoint, deliveries: readonly DueDelivery[]): DueDelivery[] {
  // Deliveries to a deleted endpoint are claimed so that they can be cancelled.
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
  /** Number of due deliveries that may be sent in addition to those in flight. */
  dueCount: number;
  /** Number of deliveries in flight in all processes. */
  inFlight: number;
}

/** Returns the number of additional deliveries that an endpoint may have in flight. */
function capacityOf({ isSlow, inFlight }: Pick<EndpointQueue, 'isSlow' | 'inFlight'>): number {
  const limit = isSlow ? TUNING.inFlightPerSlowEndpoint : TUNING.inFlightPerEndpoint;
  return Math.max(0, limit - inFlight);
}

/**
 * Shares the free slots round-robin, in queue order. Returns the number of deliveries to send per
 * endpoint.
 *
 * - An endpoint gets at most eight slots. A slow endpoint gets one.
 * - All slow endpoints together get at most half of the slots.
 * - A customer gets at most a quarter of the slots while another customer has due deliveries. The
 *   other customer may be any of `customerIds`, even one with no queue here.
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
