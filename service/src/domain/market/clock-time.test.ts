import { expect, test } from 'vitest';
import { clockTime, formatClockTime, parseClockTime } from './clock-time.ts';

test('round-trips every minute of the day as a clock time', () => {
  for (let minute = 0; minute < 24 * 60; minute++) {
    expect(clockTime(formatClockTime(minute))).toBe(minute);
  }
});

test.each(['24:00', '9:30', '09:60', '0930', '', '09:30:00', ' 09:30'])(
  'returns null for the invalid clock time %j',
  (text) => {
    expect(parseClockTime(text)).toBeNull();
    expect(() => clockTime(text)).toThrow('not a clock time');
  },
);
