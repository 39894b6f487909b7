import { expect, it, test } from 'vitest';
import { inOneUnit, readPublished } from './published-value.ts';

test.each([
  ['0.4%', '0.4', 'percent'],
  ['-68.20B', '-68.2', 'billion'],
  ['1,053K', '1053', 'thousand'],
  ['4.71M', '4.71', 'million'],
  ['3.3T', '3.3', 'trillion'],
  ['79.2', '79.2', null],
])('parses %s into the number %s and the scale %s', (text, value, scale) => {
  expect(readPublished(text)).toEqual({ value, scale });
});

test.each(['', '4.5|2.3', '1,05K', 'high', '12 345', '1e5', '--1'])(
  'does not parse %s as a published value',
  (text) => {
    expect(readPublished(text)).toBeNull();
  },
);

it('converts figures with different scales to the unit of the first', () => {
  expect(inOneUnit(['1.012M', '985K', null, '2B'], 'persons')).toEqual({
    unit: 'million',
    values: ['1.012', '0.985', null, '2000'],
  });
});

it("uses the event's unit for a plain figure, and no unit if there are no figures", () => {
  expect(inOneUnit(['79.2', '80.0'], 'index')).toEqual({ unit: 'index', values: ['79.2', '80'] });
  expect(inOneUnit([null, null], 'index')).toEqual({ unit: null, values: [null, null] });
});

it('returns no value for a level if the first figure is a percentage', () => {
  expect(inOneUnit(['0.4%', '742K'], null).values).toEqual(['0.4', null]);
});
