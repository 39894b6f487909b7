import { expect, test } from 'vitest';
import { parseSymbols } from './parse-symbols.ts';

test.each([
  ['"acme"', 'ACME'],
  ['“$acme”', 'ACME'],
  ["$'acme'", 'ACME'],
  ['`acme', 'ACME'],
])('parses %s as %s', (given, symbol) => {
  expect(parseSymbols(given)).toEqual({ symbols: [symbol], repeated: [], invalid: [] });
});

test('ignores words of only quotes and dollar signs', () => {
  expect(parseSymbols('"" $ \'$"')).toEqual({ symbols: [], repeated: [], invalid: [] });
});

// The maximum body size. A backtracking pattern would take minutes.
test('long runs of quotes inside a word take no longer than letters', () => {
  const word = `x${'"'.repeat(250_000)}!`;
  for (const given of [word, [word]]) {
    expect(parseSymbols(given).invalid).toEqual([word.slice(0, 40)]);
  }
});
