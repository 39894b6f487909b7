import { describe, expect, it } from 'vitest';
import { parseDollars } from '../../domain/dirty-number.ts';
import {
  entityKeyOrNull,
  positiveOrNull,
  readCountryCode,
  readPublishedText,
  readText,
  readWith,
  required,
  requireSymbol,
} from './fields.ts';

describe('field readers', () => {
  it.each([[undefined], [null], [''], [' '], ['N/A'], ['&nbsp;']])(
    'reads %j as a missing value',
    (value) => {
      expect(readText({ key: value }, 'key')).toBeNull();
      expect(readWith({ key: value }, 'key', parseDollars)).toBeNull();
    },
  );

  it.each([
    [7, 'wrong-type'],
    [true, 'wrong-type'],
    [{}, 'wrong-type'],
    [[], 'wrong-type'],
    ['a\0', 'unclean-text'],
    ['\ud800', 'unclean-text'],
    ['x'.repeat(501), 'overlong-text'],
  ])('rejects the field value %j as %s', (value, reason) => {
    expect(() => readText({ key: value }, 'key')).toThrow(expect.objectContaining({ reason }));
  });

  it('never reads inherited properties of a row as fields', () => {
    expect(readText({}, 'constructor')).toBeNull();
    expect(readText({}, '__proto__')).toBeNull();
  });

  it('throws if a required symbol is missing', () => {
    expect(requireSymbol({ s: 'brk/b ' }, 's')).toBe('BRK.B');
    const bad = expect.objectContaining({ reason: 'bad-symbol' });
    expect(() => requireSymbol({ s: 'N/A' }, 's')).toThrow(bad);
    expect(() => requireSymbol({}, 's')).toThrow(bad);
  });

  it('throws if a required field has no value', () => {
    expect(required('x', 'key')).toBe('x');
    expect(() => required(null, 'key')).toThrow(
      expect.objectContaining({ reason: 'missing-field' }),
    );
  });

  it.each([
    ['3', '3'],
    ['0', null],
    [null, null],
  ])('reads a price of %s as %s', (value, expected) => {
    expect(positiveOrNull(value, 'price')).toBe(expected);
  });

  it('rejects a negative price in a row', () => {
    expect(() => positiveOrNull('-3', 'price')).toThrow(
      expect.objectContaining({ reason: 'bad-number' }),
    );
  });

  it.each([[null], [7], ['row'], [[]], [{}], [{ s: 7 }], [{ s: '???' }]])(
    'returns no entity key for %j and does not throw',
    (row) => {
      expect(entityKeyOrNull(row, 's')).toBeNull();
    },
  );
});

it.each([
  ['NA', 'NA'],
  [' US ', 'US'],
  ['N/A', null],
  ['na', null],
  ['--', null],
  ['', null],
  [null, null],
])('reads %j as the country code %j', (country, code) => {
  expect(readCountryCode({ country }, 'country')).toBe(code);
});

it.each(['USA', 'Norway', 'us'])('rejects %j as a country code', (country) => {
  expect(() => readCountryCode({ country }, 'country')).toThrow(
    expect.objectContaining({ reason: 'bad-country' }),
  );
});

it.each([
  ['0.4%', '0.4%'],
  ['n/a', null],
  ['—', null],
  ['&nbsp;', null],
])('reads a published figure of %j as %j', (actual, text) => {
  expect(readPublishedText({ actual }, 'actual')).toBe(text);
});

it('rejects a sentence as a published figure', () => {
  expect(() => readPublishedText({ actual: 'x'.repeat(61) }, 'actual')).toThrow(
    expect.objectContaining({ reason: 'overlong-text' }),
  );
});
