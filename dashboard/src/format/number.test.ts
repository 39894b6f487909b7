import { expect, test } from 'vitest';
import { formatMs } from './number.ts';

test.each([
  [0, '0 ms'],
  [0.012, '< 0.1 ms'],
  [0.05, '0.1 ms'],
  [9.94, '9.9 ms'],
  [9.97, '10 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [12_340, '12.3 s'],
])('formats %d milliseconds as %s', (ms, expected) => {
  expect(formatMs(ms)).toBe(expected);
});
