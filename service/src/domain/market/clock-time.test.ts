import { expect, test } from 'vitest';
import { clockTime, formatClockTime, parseClockTime } from './clock-time.ts';

test('every minute of the day is written and read back', () => {
  for (let minute = 0; minute < 24 * 60; minute++) {
    expect(clockTime(formatClockTime(minute))).toBe(minute);
  }
});

test.each(['24:00', '9:30', '09:60', '0930', '', '09:30:00', ' 09:30'])('%j is no time', (text) => {
  expect(parseClockTime(text)).toBeNull();
  expect(() => clockTime(text)).toThrow('not a clock time');
});
