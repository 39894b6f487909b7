import { expect, test } from 'vitest';
import { dayOf, isDateOnly, readFigure, readPrice, readTimestamp } from './values.ts';

test.each([
  [119.02999877929688, '119.03'],
  [0.12834799289703369, '0.128348'],
  [154.2899932861328, '154.29'],
  [22, '22'],
  [0.1, '0.1'],
  [null, null],
])('reads the chart price %j as %j', (value, expected) => {
  expect(readPrice(value)).toBe(expected);
});

test.each([
  [{ raw: 1.49923, fmt: '1.5' }, '1.49923'],
  [{ raw: 94_076_168_920, fmt: '94.08B' }, '94076168920'],
  [{}, null],
  [null, null],
  [2.0199999999999996, '2.02'],
  [-0.0417, '-0.0417'],
  [0, '0'],
])('reads the figure %j as %j, and never reads a missing value as zero', (value, expected) => {
  expect(readFigure(value)).toBe(expected);
});

test.each([[{ raw: '1.5' }], ['1.5'], [true], [Number.NaN]])(
  'rejects %j as a Yahoo figure',
  (value) => {
    expect(() => readFigure(value)).toThrow('not a JSON number');
  },
);

test('treats a timestamp at midnight UTC as a date only, and any other timestamp as a time in New York', () => {
  const bare = Date.UTC(2026, 3, 29);
  const evening = Date.UTC(2026, 3, 30, 1, 30);
  expect([dayOf(bare), isDateOnly(bare)]).toEqual(['2026-04-29', true]);
  expect([dayOf(evening), isDateOnly(evening)]).toEqual(['2026-04-29', false]);
});

test('accepts Yahoo timestamps before 1970', () => {
  expect(readTimestamp(-252_322_200)).toBe(-252_322_200_000);
  expect(() => readTimestamp(1e12)).toThrow('not an epoch');
  expect(() => readTimestamp(1.5)).toThrow('not an epoch');
});
