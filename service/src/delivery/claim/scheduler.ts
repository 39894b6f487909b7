import { IN_FLIGHT_PER_ENDPOINT, shareSlots, capacityOf, type Slots } from './fair-share.ts';
import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { CLAIMS_PER_ROUND, type DueEndpointCache } from './lane-memory.ts';
import {
  type DueDelivery,
  findDueEndpoints,
  type DueEndpoints,
  loadDueDeliveries,
  loadInFlight,
  type EndpointScan,
} from './due-endpoints.ts';

/** Endpoints locked in one claim, at most. */
const LANES_MAX = 128;

export interface ScheduledDelivery {
  delivery: DueDelivery;
  endpoint: LockedEndpoint;
}

export interface ScheduleOptions {
  slots: Slots;
  /** Go on after this endpoint. */
  cursor: string;
  now: Instant;
  cache?: DueEndpointCache<EndpointScan> | undefined;
}

/**
 * Deliveries whose turn it is, at most one of an endpoint and company, with their endpoints locked;
 * and the endpoint after which others come next.
 */
export async function scheduleDue(
  tx: Transaction,
  options: ScheduleOptions,
): Promise<{ scheduled: ScheduledDelivery[]; cursor: string }> {
  const { cache: memory, slots } = options;
  const known = memory?.get() ?? null;
  const found = await pickAround(tx, options, known);
  if (found.scheduled.length >= slots.free) {
    if (known === null) memory?.set(found.lanes);
    return found;
  }
  memory?.clear();
  // Nothing is due only if a look of now says so.
  if (found.scheduled.length > 0 || known === null) return found;
  return pickAround(tx, options, null);
}

async function pickAround(
  tx: Transaction,
  { slots, cursor: after, now }: ScheduleOptions,
  known: EndpointScan | null,
): Promise<{ scheduled: ScheduledDelivery[]; cursor: string; lanes: EndpointScan }> {
  // More than there are slots: those whose turn it is may have all that they may have in flight.
  const { scanned: all, ...lanes } = await findDueEndpoints(tx, {
    cursor: after,
    limit: LANES_MAX,
    now,
    cached: known,
  });
  const count = firstOf(lanes, slots.free);
  const [first, others] = [lanes.ids.slice(0, count), lanes.ids.slice(count)];
  const { customerIds: accounts } = lanes;
  const scheduled = await pickOf(tx, first, { slots, accounts, now });
  if (others.length === 0) return { scheduled, cursor: lanes.cursor, lanes: all };
  if (scheduled.length >= slots.free) {
    return { scheduled, cursor: first.at(-1) ?? lanes.cursor, lanes: all };
  }
  const left = withTaken(slots, scheduled);
  const more = await pickOf(tx, others, { slots: left, accounts, now });
  return { scheduled: [...scheduled, ...more], cursor: lanes.cursor, lanes: all };
}

/**
 * How many endpoints are asked first: a few with eight deliveries each cost a fraction of many with
 * one each, since whatever is asked of an endpoint is asked once. So few that all have their turn
 * within four claims; the others get what these leave.
 */
function firstOf({ ids, dueCount }: DueEndpoints, free: number): number {
  if (dueCount === null) return Math.min(ids.length, free);
  const filling = Math.ceil(free / IN_FLIGHT_PER_ENDPOINT);
  return Math.max(filling, Math.ceil(dueCount / CLAIMS_PER_ROUND));
}

async function pickOf(
  tx: Transaction,
  ids: readonly string[],
  { slots, accounts, now }: { slots: Slots; accounts: ReadonlySet<string>; now: Instant },
): Promise<ScheduledDelivery[]> {
  if (ids.length === 0) return [];
  // Run in this order; asked for together, since each wait for the store costs time of its own.
  const [endpoints, busy] = await Promise.all([
    lockEndpoints(tx, ids, { skipLocked: true }),
    loadInFlight(tx, ids),
  ]);
  // In the order of turns, without those that are full.
  const lanes = [...busy].flatMap(([id, symbols]) => {
    const endpoint = endpoints.get(id);
    if (endpoint === undefined) return [];
    const lane = {
      endpoint,
      busy: symbols,
      isSlow: endpoint.health.isSlow,
      inFlight: symbols.size,
    };
    return capacityOf(lane) > 0 ? [lane] : [];
  });
  if (lanes.length === 0) return [];
  // Where two of them are of one company the lane gets one less this time: to look further for that
  // rare case cost a tenth of all claims.
  const share = Math.ceil(slots.free / lanes.length);
  const rooms = lanes.map((lane) => ({
    endpointId: lane.endpoint.id,
    busy: lane.busy,
    count: Math.min(share, capacityOf(lane)),
  }));
  const candidates = await loadDueDeliveries(tx, rooms, now);
  const ofLane = Map.groupBy(candidates, ({ endpointId }) => endpointId);
  const queues = lanes.map((lane) => {
    const { endpoint } = lane;
    // What is left of a deleted endpoint is picked to be cancelled.
    const mayGo = !endpoint.isDisabled || endpoint.isDeleted;
    const due = (ofLane.get(endpoint.id) ?? []).filter(({ isTest }) => isTest || mayGo);
    const companies = new Set<string>();
    const queue = due.filter(({ symbol }) => !companies.has(symbol) && companies.add(symbol));
    return { ...lane, queue };
  });
  const asked = queues.map(({ endpoint, queue, isSlow, inFlight }) => ({
    endpointId: endpoint.id,
    customerId: endpoint.customerId,
    isSlow,
    inFlight,
    dueCount: queue.length,
  }));
  const counts = shareSlots(asked, slots, accounts);
  return queues.flatMap(({ endpoint, queue }) =>
    queue
      .slice(0, counts.get(endpoint.id) ?? 0)
      .map((delivery) => ({ candidate: delivery, endpoint })),
  );
}

/** What is left of slots after these. */
function withTaken(slots: Slots, scheduled: readonly ScheduledDelivery[]): Slots {
  const inFlightOf = new Map(slots.inFlightByCustomer);
  for (const { endpoint } of scheduled) {
    inFlightOf.set(endpoint.customerId, (inFlightOf.get(endpoint.customerId) ?? 0) + 1);
  }
  const slow = scheduled.filter(({ endpoint }) => endpoint.health.isSlow).length;
  const slowInFlight = slots.slowInFlight + slow;
  return {
    ...slots,
    free: slots.free - scheduled.length,
    slowInFlight,
    inFlightByCustomer: inFlightOf,
  };
}
