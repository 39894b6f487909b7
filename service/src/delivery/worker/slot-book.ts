import type { Slots } from '../claim/fair-share.ts';
import type { Claimed } from '../claim/claimed-delivery.ts';

/** What of a process's slots is in use, by whom. */
export interface SlotBook {
  slots(): Slots;
  take(claimed: Claimed): void;
  free(claimed: Claimed): void;
  inFlight(): number;
}

export function createSlotBook(total: number): SlotBook {
  const inFlightOf = new Map<string, number>();
  let used = 0;
  let slow = 0;

  function change({ customerId, isSlow }: Claimed, by: 1 | -1): void {
    used += by;
    if (isSlow) slow += by;
    const left = (inFlightOf.get(customerId) ?? 0) + by;
    if (left === 0) inFlightOf.delete(customerId);
    else inFlightOf.set(customerId, left);
  }

  return {
    slots: () => ({ total, free: total - used, slowInFlight: slow, inFlightOf }),
    take: (claimed) => change(claimed, 1),
    free: (claimed) => change(claimed, -1),
    inFlight: () => used,
  };
}
