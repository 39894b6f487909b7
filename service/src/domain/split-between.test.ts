import { describe, expect, it } from 'vitest';
import { splitBetween } from './split-between.ts';

describe('splits between two closes', () => {
  it.each([
    ['4194.31', '167.7724', 25, 1],
    ['547.81', '182.6033', 3, 1],
    ['90', '60', 3, 2],
    ['0.1516', '4.548', 1, 30],
    ['0.3214', '8.035', 1, 25],
    ['0.225', '7.8751', 1, 35],
    ['0.0156', '1.56', 1, 100],
    ['0.0083', '2.075', 1, 250],
  ])(
    'between closes of %s and %s, detects a split of %i for %i',
    (close, previous, numerator, denominator) => {
      expect(splitBetween(close, previous)).toEqual({ numerator, denominator });
    },
  );

  it.each([
    ['a spin-off near two thirds', '67.51', '45'],
    ['a dividend', '46.08', '43.6575'],
    ['a dividend of a seventh', '100', '86'],
    ['nothing', '12.5', '12.5'],
    ['a warrant of a cent', '0.0181', '0.0139'],
    ['an odd part', '100', '61.7'],
    ['an odd multiple', '10', '23.7'],
    ['a close of zero', '0', '5'],
  ])('detects no split between two closes for %s', (_, close, previous) => {
    expect(splitBetween(close, previous)).toBeNull();
  });
});
