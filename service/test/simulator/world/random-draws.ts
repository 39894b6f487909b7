import type { Random } from '../../../src/platform/random.ts';

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)] as T;
}

/** True with probability `share`, from 0 to 1. */
export function chance(random: Random, share: number): boolean {
  return random.float() < share;
}

/** Random integer from `min` (included) to `max` (excluded). */
export function between(random: Random, min: number, max: number): number {
  return min + random.int(Math.max(1, max - min));
}
