import { expect, test } from 'vitest';
import { withdrawnAt, type Listing } from './withdrawal.ts';

const HOUR = 3_600_000;
const SEEN = 1_000 * HOUR;

/** Lists so many hours after the row was seen, with so many rows. */
function lists(...each: readonly (readonly [hours: number, rows: number])[]): Listing[] {
  return each.map(([hours, rows]) => ({ at: SEEN + hours * HOUR, rows }));
}

test.each([
  ['no list since', lists([0, 40]), null],
  ['one list without it', lists([0, 40], [24, 39]), null],
  ['two lists without it', lists([0, 40], [24, 39], [48, 39]), 48],
  ['two lists within a day, and none since', lists([0, 40], [1, 39], [2, 39]), null],
  ['two lists within a day, and one a day later', lists([0, 40], [1, 39], [2, 39], [20, 39]), 20],
  ['two lists within minutes, after a pause', lists([0, 40], [72, 39], [72.1, 39]), null],
  ['and one two hours later', lists([0, 40], [72, 39], [72.1, 39], [74, 39]), 74],
  ['the second, though more followed', lists([0, 40], [24, 39], [48, 39], [72, 39]), 48],
  ['lists of less than half of what there was', lists([0, 40], [24, 19], [48, 0]), null],
  ['a list cut off between two whole ones', lists([0, 40], [24, 39], [48, 3], [72, 39]), 72],
  ['a day of few rows that lost them all', lists([0, 9], [24, 0], [48, 0]), 48],
  ['a row seen before lists were noted', lists([24, 39], [48, 39]), 48],
] as const)('%s', (_, listings, hours) => {
  expect(withdrawnAt(SEEN, listings)).toBe(hours === null ? null : SEEN + hours * HOUR);
});
