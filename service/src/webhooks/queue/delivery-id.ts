import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';

/** Digits in ASCII order, so that sorting IDs sorts them by time. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 9;
const RANDOM_BYTES = 10;

/** Returns `del_` followed by the time and 80 random bits. IDs increase with the creation time. */
export function makeDeliveryId(at: Instant, random: Random): string {
  const drawn = Array.from(random.bytes(RANDOM_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return `${deliveryIdFloor(at)}${drawn.join('')}`;
}

/** Returns a lower bound for the IDs of deliveries created at or after the instant. */
export function deliveryIdFloor(at: Instant): string {
  let left = Math.max(0, at);
  let digits = '';
  for (let place = 0; place < TIME_DIGITS; place += 1) {
    digits = `${ALPHABET.charAt(left % 32)}${digits}`;
    left = Math.floor(left / 32);
  }
  return `del_${digits}`;
}
