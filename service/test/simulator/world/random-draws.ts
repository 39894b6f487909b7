import type { Random } from '../../../src/platform/random.ts';

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)] as T;
}

/** Returns true with the probability `share`, which ranges from 0 to 1. */
export function chance(random: Random, share: number): boolean {
  return random.float() < share;
}

/** Returns a random integer from `min` (inclusive) to `max` (exclusive). */
export function between(random: Random, min: number, max: number): number {
  return min + random.int(Math.max(1, max - min));
}
