import type { Random } from '../../../src/platform/random.ts';

export function pick<T>(random: Random, of: readonly T[]): T {
  return of[random.int(of.length)] as T;
}

/** True so often: `share` is 0 to 1. */
export function chance(random: Random, share: number): boolean {
  return random.float() < share;
}

/** From `min` up to, and without, `max`. */
export function between(random: Random, min: number, max: number): number {
  return min + random.int(Math.max(1, max - min));
}
