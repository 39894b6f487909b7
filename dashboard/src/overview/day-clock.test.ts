import { describe, expect, test } from 'vitest';
import { minutesOf, shareOf } from './day-clock.ts';

describe('trading day times', () => {
  const day = { from: '04:00', to: '20:00' };

  test('are parsed to minutes', () => {
    expect(minutesOf('09:30')).toBe(570);
    expect(minutesOf('00:00')).toBe(0);
  });

  test('map to a share of the trading day', () => {
    expect(shareOf('04:00', day)).toBe(0);
    expect(shareOf('12:00', day)).toBe(0.5);
    expect(shareOf('20:00', day)).toBe(1);
  });

  test('map to null at night', () => {
    expect(shareOf('03:59', day)).toBeNull();
    expect(shareOf('20:01', day)).toBeNull();
  });
});
