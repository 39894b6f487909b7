import { describe, expect, test } from 'vitest';
import { minutesOf, shareOf } from './day-clock.ts';

describe('the day clock', () => {
  const day = { from: '04:00', to: '20:00' };

  test('converts a time to minutes since midnight', () => {
    expect(minutesOf('09:30')).toBe(570);
    expect(minutesOf('00:00')).toBe(0);
  });

  test('maps a time to its share of the trading day', () => {
    expect(shareOf('04:00', day)).toBe(0);
    expect(shareOf('12:00', day)).toBe(0.5);
    expect(shareOf('20:00', day)).toBe(1);
  });

  test('returns null for a time outside the trading day', () => {
    expect(shareOf('03:59', day)).toBeNull();
    expect(shareOf('20:01', day)).toBeNull();
  });
});
