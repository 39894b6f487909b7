import type { Clock } from '../../platform/clock.ts';
import type { SlotBook } from './slot-book.ts';

/**
 * What a claim costs beside its deliveries is as much as a hundred of them: fifty at a time took twice
 * the processor time of two hundred.
 */
const SHARE = 1 / 2;
const STEP_MS = 5;
const WAIT_MS_MAX = 25;

/** Waits while fewer than half of the slots are free: soon there are more, and one claim serves them. */
export async function gatherSlots(
  { clock, isStopping }: { clock: Clock; isStopping(): boolean },
  book: SlotBook,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_MS_MAX && !isStopping(); waitedMs += STEP_MS) {
    const { free, total } = book.slots();
    if (free >= total * SHARE) return;
    await clock.sleep(STEP_MS);
  }
}
