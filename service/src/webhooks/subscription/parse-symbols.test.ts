import { expect, test } from 'vitest';
import { parseSymbols } from './parse-symbols.ts';

test.each([
  ['"acme"', 'ACME'],
  ['“$acme”', 'ACME'],
  ["$'acme'", 'ACME'],
  ['`acme', 'ACME'],
])('parses the pasted text %s as the symbol %s', (given, symbol) => {
  expect(parseSymbols(given)).toEqual({ symbols: [symbol], repeated: [], invalid: [] });
});

test('ignores words that consist only of quotes and dollar signs', () => {
  expect(parseSymbols('"" $ \'$"')).toEqual({ symbols: [], repeated: [], invalid: [] });
});

// The text is as long as the largest request body. A backtracking pattern would take minutes.
test('parses long runs of quotes inside a word as fast as letters', () => {
  const word = `x${'"'.repeat(250_000)}!`;
  for (const given of [word, [word]]) {
    expect(parseSymbols(given).invalid).toEqual([word.slice(0, 40)]);
  }
});
