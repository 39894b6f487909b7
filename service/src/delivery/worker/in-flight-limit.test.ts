import { expect, test } from 'vitest';
import { claimSize } from './in-flight-limit.ts';

const TOTAL = 512;

test.each([
  {
    what: 'nothing is under way: a few, that the sending begins',
    free: 512,
    unwritten: 0,
    gets: 64,
  },
  { what: 'nothing is under way, but not written down', free: 512, unwritten: 1_000, gets: 24 },
  { what: 'most are free: half of all at once', free: 511, unwritten: 1, gets: 256 },
  { what: 'few are free: these', free: 100, unwritten: 412, gets: 100 },
  {
    what: 'the store is behind by as many as there are slots',
    free: 300,
    unwritten: 1_024,
    gets: 0,
  },
  { what: 'the store is further behind', free: 300, unwritten: 1_030, gets: -6 },
])('$what', ({ free, unwritten, gets }) => {
  const slots = { total: TOTAL, free, slowInFlight: 3, inFlightOf: new Map([['cus', 1]]) };
  expect(claimSize(slots, unwritten)).toEqual({ ...slots, free: gets });
});

test('of one slot something is left to claim', () => {
  const slots = { total: 1, free: 1, slowInFlight: 0, inFlightOf: new Map<string, number>() };
  expect(claimSize(slots, 0).free).toBe(1);
});
