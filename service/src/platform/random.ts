import { randomBytes, randomInt } from 'node:crypto';

/** The only source of randomness, so that tests and the simulator can replay a seed. */
export interface Random {
  bytes(length: number): Uint8Array;
  /** Returns a uniformly distributed integer from 0 to bound − 1. `bound` is 1 … 2^31. */
  int(bound: number): number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  float(): number;
}

/**
 * Returns a random source backed by the operating system, which is suitable for keys and secrets.
 */
export function systemRandom(): Random {
  return {
    bytes: (length) => new Uint8Array(randomBytes(length)),
    int: (bound) => randomInt(bound),
    float: () => randomInt(2 ** 32) / 2 ** 32,
  };
}

/**
 * Returns a generator that produces the same sequence for the same seed. Its output is predictable,
 * so use it only for tests and simulations.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;

  /** Advances the mulberry32 generator and returns its next 32-bit integer. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** Draws again if the number is in the last, incomplete range of size `bound`, to avoid bias. */
  function int(bound: number): number {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const draw = next();
      if (draw < limit) return draw % bound;
    }
  }

  return {
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
    int,
    float: () => next() / 2 ** 32,
  };
}
