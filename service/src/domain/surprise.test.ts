import { describe, expect, it } from 'vitest';
import { epsSurprise } from './surprise.ts';

describe('EPS surprise through splits', () => {
  it.each([
    ['a beat by a cent stays one', '0.3', '0.2975', '4', 'beat', '0.8403', '0.0025'],
    [
      'a seventh is told as the whole was',
      '1.972857',
      '1.9671429',
      '7',
      'beat',
      '0.2905',
      '0.0057141',
    ],
    ['a reverse split', '-3.1', '-3.5', '0.1', 'beat', '11.4286', '0.4'],
    ['equal at the precision reported', '0.3', '0.300075', '4', 'meet', '-0.025', '-0.000075'],
  ])('%s', (_, actual, estimate, splitFactor, outcome, surprisePercent, surprise) => {
    expect(epsSurprise(actual, estimate, splitFactor)).toEqual({
      outcome,
      surprisePercent,
      surprise,
    });
  });

  it('without splits compares as it stands', () => {
    expect(epsSurprise('0.3', '0.2975').outcome).toBe('meet');
    expect(epsSurprise('-0.25', '-0.40')).toEqual({
      outcome: 'beat',
      surprisePercent: '37.5',
      surprise: '0.15',
    });
    expect(epsSurprise(null, '1', '4').outcome).toBe(null);
  });
});
