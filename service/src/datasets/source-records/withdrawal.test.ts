import { expect, test } from 'vitest';
import { withdrawnAt, type Listing } from './withdrawal.ts';

const HOUR = 3_600_000;
const SEEN = 1_000 * HOUR;

/** Builds lists from the hours after the row was last seen and the number of rows in each list. */
function lists(...each: readonly (readonly [hours: number, rows: number])[]): Listing[] {
  return each.map(([hours, rows]) => ({ at: SEEN + hours * HOUR, rows }));
}

test.each([
  ['keeps a row without later lists', lists([0, 40]), null],
  ['keeps a row missing from one list', lists([0, 40], [24, 39]), null],
  ['withdraws a row missing from two lists', lists([0, 40], [24, 39], [48, 39]), 48],
  ['keeps a row missing from two lists within a day', lists([0, 40], [1, 39], [2, 39]), null],
  [
    'withdraws a row also missing from a third list a day later',
    lists([0, 40], [1, 39], [2, 39], [20, 39]),
    20,
  ],
  [
    'keeps a row missing from two lists within minutes after a pause',
    lists([0, 40], [72, 39], [72.1, 39]),
    null,
  ],
  [
    'withdraws a row also missing from a list two hours later',
    lists([0, 40], [72, 39], [72.1, 39], [74, 39]),
    74,
  ],
  [
    'uses the time of the second list, even if more follow',
    lists([0, 40], [24, 39], [48, 39], [72, 39]),
    48,
  ],
  ['ignores lists with less than half of the rows', lists([0, 40], [24, 19], [48, 0]), null],
  [
    'ignores a truncated list between two complete ones',
    lists([0, 40], [24, 39], [48, 3], [72, 39]),
    72,
  ],
  [
    'withdraws a row from a day with few rows that lost all of them',
    lists([0, 9], [24, 0], [48, 0]),
    48,
  ],
  ['withdraws a row from before lists were recorded', lists([24, 39], [48, 39]), 48],
] as const)('%s', (_, listings, hours) => {
  expect(withdrawnAt(SEEN, listings)).toBe(hours === null ? null : SEEN + hours * HOUR);
});
