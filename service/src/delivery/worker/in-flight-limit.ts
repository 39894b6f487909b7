import type { Slots } from '../claim/fair-share.ts';

/** Attempts under way or not yet written down, at most, for each slot. */
const UNWRITTEN_SHARE = 2;
/**
 * Of the slots, how many one claim takes at most; the first of a burst a few, so that they are on their
 * way while the others are claimed.
 */
const CLAIM_SHARE = 1 / 2;
const FIRST_SHARE = 1 / 8;

/**
 * The slots as the next claim may use them. None while the store is behind with writing down what was
 * answered: `unwritten` counts what is claimed and not written down yet.
 */
export function claimSize(slots: Slots, unwritten: number): Slots {
  const { total, free } = slots;
  const room = total * UNWRITTEN_SHARE - unwritten;
  const atOnce = Math.ceil(total * (free === total ? FIRST_SHARE : CLAIM_SHARE));
  return { ...slots, free: Math.min(free, room, atOnce) };
}
