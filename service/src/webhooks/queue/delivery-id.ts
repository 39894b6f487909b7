import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';

/** Letters and digits in the order of their codes, so that ids sort as their times do. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 9;
const RANDOM_BYTES = 10;

/** `del_`, the instant and 80 random bits: ids rise with the time of opening. */
export function makeDeliveryId(at: Instant, random: Random): string {
  const drawn = Array.from(random.bytes(RANDOM_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return `${deliveryIdFloor(at)}${drawn.join('')}`;
}

/** What every id of that instant or later is not below, and every id of before is. */
export function deliveryIdFloor(at: Instant): string {
  let left = Math.max(0, at);
  let digits = '';
  for (let place = 0; place < TIME_DIGITS; place += 1) {
    digits = `${ALPHABET.charAt(left % 32)}${digits}`;
    left = Math.floor(left / 32);
  }
  return `del_${digits}`;
}
