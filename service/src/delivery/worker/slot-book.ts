import type { Slots } from '../claim/fair-share.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';

/** What of a process's slots is in use, by whom. */
export interface InFlightLimit {
  slots(): Slots;
  take(claimed: ClaimedDelivery): void;
  free(claimed: ClaimedDelivery): void;
  inFlight(): number;
}

export function createInFlightLimit(total: number): InFlightLimit {
  const inFlightOf = new Map<string, number>();
  let used = 0;
  let slow = 0;

  function change({ customerId, isSlow }: ClaimedDelivery, by: 1 | -1): void {
    used += by;
    if (isSlow) slow += by;
    const left = (inFlightOf.get(customerId) ?? 0) + by;
    if (left === 0) inFlightOf.delete(customerId);
    else inFlightOf.set(customerId, left);
  }

  return {
    slots: () => ({
      total,
      free: total - used,
      slowInFlight: slow,
      inFlightByCustomer: inFlightOf,
    }),
    take: (claimed) => change(claimed, 1),
    free: (claimed) => change(claimed, -1),
    inFlight: () => used,
  };
}
