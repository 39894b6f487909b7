import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSeed } from '../../test/support/run-size.ts';
import { seededRandom, systemRandom } from './random.ts';

test('repeats the sequence of a seed and differs for another one', () => {
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

test('seeds property tests from the run, so that a change is not judged by chance', () => {
  expect(fc.readConfigureGlobal()).toEqual({ seed: runSeed() });
});
