import type { Clock } from '../../platform/clock.ts';
import type { InFlightLimit } from './slot-book.ts';

/**
 * What a claim costs beside its deliveries is as much as a hundred of them: fifty at a time took twice
 * the processor time of two hundred.
 */
const SHARE = 1 / 2;
const STEP_MS = 5;
const WAIT_MS_MAX = 25;
/** Those in use may all be held by receivers that do not answer: then no more are free soon. */
const QUIET_STEPS_MAX = 2;

/**
 * Waits while fewer than half of the slots are free and more become free: one claim serves them all.
 * 25 ms at most, 10 ms where none becomes free.
 */
export async function waitForSlots(
  { clock, isStopping }: { clock: Clock; isStopping(): boolean },
  book: InFlightLimit,
): Promise<void> {
  let before = book.slots().free;
  let quietSteps = 0;
  for (let waitedMs = 0; waitedMs < WAIT_MS_MAX && !isStopping(); waitedMs += STEP_MS) {
    const { free, total } = book.slots();
    quietSteps = free > before ? 0 : quietSteps;
    if (free >= total * SHARE || quietSteps === QUIET_STEPS_MAX) return;
    before = free;
    quietSteps += 1;
    await clock.sleep(STEP_MS);
  }
}
