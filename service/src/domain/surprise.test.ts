import fc from 'fast-check';
import { expect, test } from 'vitest';
import { epsSurprise, revenueSurprise, yoy } from './surprise.ts';

test.each([
  ['plain', '1.10', '1.00', '0.1', '10', 'beat'],
  ['plainly missed', '0.90', '1.00', '-0.1', '-10', 'miss'],
  ['a smaller loss', '-0.25', '-0.40', '0.15', '37.5', 'beat'],
  ['a larger loss', '-0.50', '-0.40', '-0.1', '-25', 'miss'],
  ['a loss turned', '0.10', '-0.20', '0.3', '150', 'beat'],
  ['an estimate of zero', '0.05', '0', '0.05', null, 'beat'],
  ['an estimate of half a cent', '0.01', '0.005', '0.005', '100', 'meet'],
  ['an estimate below half a cent', '0.01', '0.0049', '0.0051', null, 'beat'],
  ['meets at the precision reported', '1.20', '1.2003', '-0.0003', '-0.025', 'meet'],
  ['misses where four decimals were reported', '1.2001', '1.2003', '-0.0002', '-0.0167', 'miss'],
  ['thirds are rounded', '0.04', '0.03', '0.01', '33.3333', 'beat'],
  ['half away from zero', '1.000005', '1', '0.000005', '0.0005', 'beat'],
])(
  'compares EPS with the estimate (%s): %s with %s',
  (_, actual, estimate, surprise, surprisePercent, outcome) => {
    expect(epsSurprise(actual, estimate)).toEqual({ surprise, surprisePercent, outcome });
  },
);

test.each([
  ['a beat by a cent stays one', '0.3', '0.2975', '4', '0.0025', '0.8403', 'beat'],
  ['sevenths', '1.972857', '1.9671429', '7', '0.0057141', '0.2905', 'beat'],
  ['a reverse split', '-3.1', '-3.5', '0.1', '0.4', '11.4286', 'beat'],
  ['equal as it was reported', '0.3', '0.300075', '4', '-0.000075', '-0.025', 'meet'],
])(
  "compares EPS from before a split with the estimate (%s): %s with %s in today's shares",
  (_, actual, estimate, splitFactor, surprise, surprisePercent, outcome) => {
    expect(epsSurprise(actual, estimate, splitFactor)).toEqual({
      surprise,
      surprisePercent,
      outcome,
    });
  },
);

test.each([
  ['1010000000', '1000000000', '10000000', '1', 'beat'],
  ['999999999', '1000000000', '-1', '0', 'miss'],
  ['1000000000', '1000000000.4', '-0.4', '0', 'meet'],
  ['5', '0', '5', null, 'beat'],
  ['5', '-10', '15', null, 'beat'],
])(
  'compares revenue of %s with an estimate of %s',
  (actual, estimate, surprise, surprisePercent, outcome) => {
    expect(revenueSurprise(actual, estimate)).toEqual({ surprise, surprisePercent, outcome });
  },
);

test('returns null values without an actual value or an estimate', () => {
  const unknown = { surprise: null, surprisePercent: null, outcome: null };
  expect(epsSurprise(null, '1')).toEqual(unknown);
  expect(epsSurprise('1', null)).toEqual(unknown);
  expect(revenueSurprise(null, '1')).toEqual(unknown);
  expect(revenueSurprise('1', null)).toEqual(unknown);
});

test.each([
  ['1.21', '1.10', '10'],
  ['0.90', '1.20', '-25'],
  ['-0.25', '-0.40', '37.5'],
  ['0.30', '-0.20', '250'],
  ['-0.30', '0.20', '-250'],
  ['0', '0.20', '-100'],
  ['2', '3', '-33.3333'],
  ['0.20', '0', null],
  ['0.20', '-0.00', null],
  ['0.20', null, null],
  [null, '0.20', null],
])(
  'computes the year-over-year change of %s compared with %s: %s percent',
  (actual, prior, percent) => {
    expect(yoy(actual, prior)).toBe(percent);
  },
);

test('returns the same percentage and outcome when the actual value and the estimate are scaled', () => {
  const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const text = (units: number) => (units / 100).toFixed(2);
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 1, max: 999 }), (actual, base, factor) => {
      const unscaled = epsSurprise(text(actual), text(base));
      const scaled = epsSurprise(text(actual * factor), text(base * factor));
      expect(scaled.surprisePercent).toBe(unscaled.surprisePercent);
      expect(scaled.outcome).toBe(unscaled.outcome);
      expect(yoy(text(actual * factor), text(base * factor))).toBe(yoy(text(actual), text(base)));
    }),
  );
});
