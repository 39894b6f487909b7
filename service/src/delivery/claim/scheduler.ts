import { IN_FLIGHT_PER_ENDPOINT, pickFairly, roomOf, type Slots } from './fair-share.ts';
import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { CLAIMS_A_ROUND, type LaneMemory } from './lane-memory.ts';
import {
  type Candidate,
  findLanes,
  type Lanes,
  loadCandidates,
  loadInFlight,
  type Scan,
} from './due-endpoints.ts';

/** Endpoints locked in one claim, at most. */
const LANES_MAX = 128;

export interface Picked {
  candidate: Candidate;
  endpoint: LockedEndpoint;
}

export interface PickOptions {
  slots: Slots;
  /** Go on after this endpoint. */
  after: string;
  now: Instant;
  memory?: LaneMemory<Scan> | undefined;
}

/**
 * Deliveries whose turn it is, at most one of an endpoint and company, with their endpoints locked;
 * and the endpoint after which others come next.
 */
export async function pickDue(
  tx: Transaction,
  options: PickOptions,
): Promise<{ picked: Picked[]; after: string }> {
  const { memory, slots } = options;
  const known = memory?.recall() ?? null;
  const found = await pickAround(tx, options, known);
  if (found.picked.length >= slots.free) {
    if (known === null) memory?.keep(found.lanes);
    return found;
  }
  memory?.forget();
  // Nothing is due only if a look of now says so.
  if (found.picked.length > 0 || known === null) return found;
  return pickAround(tx, options, null);
}

async function pickAround(
  tx: Transaction,
  { slots, after, now }: PickOptions,
  known: Scan | null,
): Promise<{ picked: Picked[]; after: string; lanes: Scan }> {
  // More than there are slots: those whose turn it is may have all that they may have in flight.
  const { all, ...lanes } = await findLanes(tx, { after, limit: LANES_MAX, now, known });
  const count = firstOf(lanes, slots.free);
  const [first, others] = [lanes.ids.slice(0, count), lanes.ids.slice(count)];
  const { accounts } = lanes;
  const picked = await pickOf(tx, first, { slots, accounts, now });
  if (others.length === 0) return { picked, after: lanes.after, lanes: all };
  if (picked.length >= slots.free) {
    return { picked, after: first.at(-1) ?? lanes.after, lanes: all };
  }
  const left = withTaken(slots, picked);
  const more = await pickOf(tx, others, { slots: left, accounts, now });
  return { picked: [...picked, ...more], after: lanes.after, lanes: all };
}

/**
 * How many endpoints are asked first: a few with eight deliveries each cost a fraction of many with
 * one each, since whatever is asked of an endpoint is asked once. So few that all have their turn
 * within four claims; the others get what these leave.
 */
function firstOf({ ids, dueCount }: Lanes, free: number): number {
  if (dueCount === null) return Math.min(ids.length, free);
  const filling = Math.ceil(free / IN_FLIGHT_PER_ENDPOINT);
  return Math.max(filling, Math.ceil(dueCount / CLAIMS_A_ROUND));
}

async function pickOf(
  tx: Transaction,
  ids: readonly string[],
  { slots, accounts, now }: { slots: Slots; accounts: ReadonlySet<string>; now: Instant },
): Promise<Picked[]> {
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
    return roomOf(lane) > 0 ? [lane] : [];
  });
  if (lanes.length === 0) return [];
  // Where two of them are of one company the lane gets one less this time: to look further for that
  // rare case cost a tenth of all claims.
  const share = Math.ceil(slots.free / lanes.length);
  const rooms = lanes.map((lane) => ({
    endpointId: lane.endpoint.id,
    busy: lane.busy,
    count: Math.min(share, roomOf(lane)),
  }));
  const candidates = await loadCandidates(tx, rooms, now);
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
  const counts = pickFairly(asked, slots, accounts);
  return queues.flatMap(({ endpoint, queue }) =>
    queue.slice(0, counts.get(endpoint.id) ?? 0).map((candidate) => ({ candidate, endpoint })),
  );
}

/** What is left of slots after these. */
function withTaken(slots: Slots, picked: readonly Picked[]): Slots {
  const inFlightOf = new Map(slots.inFlightOf);
  for (const { endpoint } of picked) {
    inFlightOf.set(endpoint.customerId, (inFlightOf.get(endpoint.customerId) ?? 0) + 1);
  }
  const slow = picked.filter(({ endpoint }) => endpoint.health.isSlow).length;
  const slowInFlight = slots.slowInFlight + slow;
  return { ...slots, free: slots.free - picked.length, slowInFlight, inFlightOf };
}
