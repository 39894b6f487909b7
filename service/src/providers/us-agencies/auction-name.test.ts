import { expect, test } from 'vitest';
import { auctionName, closingTime } from './auction-name.ts';

test.each([
  ['Bill', '13-Week', '3-Month Bill Auction', '11:30'],
  ['Bill', '26-WEEK 182-DAY', '6-Month Bill Auction', '11:30'],
  ['Bill', '119-DAY', '17-Week Bill Auction', null],
  ['Bill', '69-Day', '69-Day Bill Auction', null],
  ['Note', '9-Year 10-Month', '10-Year Note Auction', '13:00'],
  ['Note', '7-YEAR 0-MONTH', '7-Year Note Auction', '13:00'],
  ['FRN', '1-Year 11-Month', '2-Year FRN Auction', '11:30'],
  ['TIPS', '5-Year', '5-Year TIPS Auction', '13:00'],
  ['Bond', '29-Year 10-Month', '30-Year Bond Auction', '13:00'],
] as const)('names and times the auction of a %s of %s', (kind, term, name, time) => {
  expect(auctionName(kind, term)).toBe(name);
  expect(closingTime(kind, term).time).toBe(time);
});

test('returns null for an unknown term', () => {
  expect(auctionName('Note', 'Perpetual')).toBeNull();
});
