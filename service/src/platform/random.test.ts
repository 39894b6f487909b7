import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSeed } from '../../test/support/run-size.ts';
import { seededRandom, systemRandom } from './random.ts';

test('produces the same sequence for the same seed and a different one for a different seed', () => {
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
])(
  'keeps random integers from the %s source below the bound and eventually returns every value',
  (_, random) => {
    const values = new Set(Array.from({ length: 500 }, () => random.int(5)));
    expect([...values].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    expect(random.bytes(16)).toHaveLength(16);
    const float = random.float();
    expect(float >= 0 && float < 1).toBe(true);
  },
);

test('seeds property tests with the seed of the test run, so that failures are reproducible', () => {
  expect(fc.readConfigureGlobal()).toEqual({ seed: runSeed() });
});
