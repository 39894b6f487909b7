import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSeed } from '../../test/support/run-size.ts';
import { seededRandom, systemRandom } from './random.ts';

test("repeats a seed's sequence and produces a different one for a different seed", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return [...random.bytes(8), random.int(1000), random.int(2 ** 31)];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test.each([
  ['system', systemRandom()],
  ['seeded', seededRandom(1)],
])('keeps %s randomness below its bound and reaches every value', (_, random) => {
  const values = new Set(Array.from({ length: 500 }, () => random.int(5)));
  expect([...values].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
  expect(random.bytes(16)).toHaveLength(16);
  const float = random.float();
  expect(float >= 0 && float < 1).toBe(true);
});

test('seeds property tests with the seed of the run, so that they are reproducible', () => {
  expect(fc.readConfigureGlobal()).toEqual({ seed: runSeed() });
});
