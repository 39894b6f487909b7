import type { Clock } from '../../platform/clock.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { Slots } from '../claim/scheduler.ts';
import { TUNING } from '../tuning.ts';

/** Limits the number of deliveries that a process has in flight. */
export class InFlightLimit {
  readonly #total: number;
  readonly #byCustomer = new Map<string, number>();
  #used = 0;
  #slow = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get inFlight(): number {
    return this.#used;
  }

  slots(): Slots {
    return {
      total: this.#total,
      free: this.#total - this.#used,
      slowInFlight: this.#slow,
      inFlightByCustomer: this.#byCustomer,
    };
  }

  acquire(delivery: ClaimedDelivery): void {
    this.#change(delivery, 1);
  }

  release(delivery: ClaimedDelivery): void {
    this.#change(delivery, -1);
  }

  #change({ customerId, isSlow }: ClaimedDelivery, delta: 1 | -1): void {
    this.#used += delta;
    if (isSlow) this.#slow += delta;
    const count = (this.#byCustomer.get(customerId) ?? 0) + delta;
    if (count === 0) this.#byCustomer.delete(customerId);
    else this.#byCustomer.set(customerId, count);
  }
}

/**
 * Returns the slots that the next claim may fill. Returns none while the store is behind.
 * `unrecorded` is the number of claimed deliveries whose results are not recorded yet.
 */
export function slotsForClaim(
  slots: Slots,
  unrecorded: number,
  share: number = slots.free === slots.total ? TUNING.firstClaimShare : TUNING.claimShare,
): Slots {
  const { total, free } = slots;
  const backlogRoom = total * TUNING.unrecordedPerSlot - unrecorded;
  return { ...slots, free: Math.min(free, backlogRoom, Math.ceil(total * share)) };
}

/**
 * Waits until enough slots are free for a claim. Stops waiting early when no more slots are being
 * freed.
 */
export async function waitForSlots(
  { clock, isStopping }: { clock: Clock; isStopping(): boolean },
  limit: Pick<InFlightLimit, 'slots'>,
): Promise<void> {
  const { claimWaitStepMs: stepMs, claimWaitMsMax } = TUNING;
  let freeBefore = limit.slots().free;
  let idleSteps = 0;
  for (let waitedMs = 0; waitedMs < claimWaitMsMax && !isStopping(); waitedMs += stepMs) {
    const { free, total } = limit.slots();
    if (free > freeBefore) idleSteps = 0;
    if (free >= total * TUNING.freeShareBeforeClaim) return;
    if (idleSteps === TUNING.claimIdleStepsMax) return;
    freeBefore = free;
    idleSteps += 1;
    await clock.sleep(stepMs);
  }
}
