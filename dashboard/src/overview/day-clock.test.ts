import { describe, expect, test } from 'vitest';
import { minutesOf, shareOf } from './day-clock.ts';

describe('the times of a trading day', () => {
  const day = { from: '04:00', to: '20:00' };

  test('are times of New York without a date', () => {
    expect(minutesOf('09:30')).toBe(570);
    expect(minutesOf('00:00')).toBe(0);
  });

  test('have a place between the first and the last trade', () => {
    expect(shareOf('04:00', day)).toBe(0);
    expect(shareOf('12:00', day)).toBe(0.5);
    expect(shareOf('20:00', day)).toBe(1);
  });

  test('have none at night', () => {
    expect(shareOf('03:59', day)).toBeNull();
    expect(shareOf('20:01', day)).toBeNull();
  });
});
