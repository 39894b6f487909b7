/** Of one endpoint at a time. */
export const IN_FLIGHT_PER_ENDPOINT = 8;
const SLOW_IN_FLIGHT_PER_ENDPOINT = 1;
const SLOW_SHARE = 1 / 2;
const ACCOUNT_SHARE = 1 / 4;

/** An endpoint with work that could be sent now. */
export interface EndpointQueue {
  endpointId: string;
  customerId: string;
  isSlow: boolean;
  /** Deliveries that are due and may be sent beside those in flight. */
  dueCount: number;
  /** From all processes. */
  inFlight: number;
}

/** How many more of an endpoint may be in flight. */
export function capacityOf({
  isSlow,
  inFlight,
}: Pick<EndpointQueue, 'isSlow' | 'inFlight'>): number {
  const most = isSlow ? SLOW_IN_FLIGHT_PER_ENDPOINT : IN_FLIGHT_PER_ENDPOINT;
  return Math.max(0, most - inFlight);
}

/** What a process has to give. */
export interface Slots {
  total: number;
  free: number;
  /** In flight from this process, to endpoints of the slow lane. */
  slowInFlight: number;
  /** In flight from this process, by account. */
  inFlightByCustomer: ReadonlyMap<string, number>;
}

/**
 * How many deliveries of each endpoint to send now: one each in turn, in the order given, until the
 * slots are full. An endpoint gets eight at most, in the slow lane one; the slow lane gets half of
 * the slots at most; an account gets a quarter at most while another has due work, be it one of
 * `accounts`, of which no lane is among these.
 */
export function shareSlots(
  lanes: readonly EndpointQueue[],
  slots: Slots,
  accounts: ReadonlySet<string> = new Set(),
): Map<string, number> {
  const picked = new Map<string, number>();
  const use = { free: slots.free, slow: slots.slowInFlight, of: new Map(slots.inFlightByCustomer) };
  const slowMax = Math.max(1, Math.floor(slots.total * SLOW_SHARE));
  const accountMax = Math.max(1, Math.floor(slots.total * ACCOUNT_SHARE));
  const due = lanes.filter(({ dueCount }) => dueCount > 0).map(({ customerId }) => customerId);
  // An account alone with its work may use what nobody else needs.
  const isShared = new Set([...accounts, ...due]).size > 1;

  let isGiving = true;
  while (isGiving && use.free > 0) {
    isGiving = false;
    for (const lane of lanes) {
      if (use.free === 0) break;
      if (!mayHaveOneMore(lane)) continue;
      picked.set(lane.endpointId, (picked.get(lane.endpointId) ?? 0) + 1);
      use.free -= 1;
      use.slow += lane.isSlow ? 1 : 0;
      use.of.set(lane.customerId, (use.of.get(lane.customerId) ?? 0) + 1);
      isGiving = true;
    }
  }
  return picked;

  function mayHaveOneMore(lane: EndpointQueue): boolean {
    const taken = picked.get(lane.endpointId) ?? 0;
    return (
      taken < Math.min(lane.dueCount, capacityOf(lane)) &&
      (!lane.isSlow || use.slow < slowMax) &&
      (!isShared || (use.of.get(lane.customerId) ?? 0) < accountMax)
    );
  }
}
