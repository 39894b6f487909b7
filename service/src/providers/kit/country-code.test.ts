import { expect, it } from 'vitest';
import { readCountryCode } from './country-code.ts';

it.each([
  ['NA', 'NA'],
  [' US ', 'US'],
  ['N/A', null],
  ['na', null],
  ['--', null],
  ['', null],
  [null, null],
])('%j is the country code %j', (country, code) => {
  expect(readCountryCode({ country }, 'country')).toBe(code);
});

it.each(['USA', 'Norway', 'us'])('%j is a bad one', (country) => {
  expect(() => readCountryCode({ country }, 'country')).toThrow(
    expect.objectContaining({ reason: 'bad-country' }),
  );
});
