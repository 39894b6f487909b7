import { expect, test } from 'vitest';
import { parseSymbols } from './parse-symbols.ts';

test.each([
  ['"acme"', 'ACME'],
  ['“$acme”', 'ACME'],
  ["$'acme'", 'ACME'],
  ['`acme', 'ACME'],
])('%s is %s', (given, symbol) => {
  expect(parseSymbols(given)).toEqual({ symbols: [symbol], repeated: [], invalid: [] });
});

test('nothing but quotes and dollar signs is no word', () => {
  expect(parseSymbols('"" $ \'$"')).toEqual({ symbols: [], repeated: [], invalid: [] });
});

// As many as the body of a request holds: minutes, when each of them is the begin of a new search.
test('quotes without end within a word cost no more than other letters', () => {
  const word = `x${'"'.repeat(250_000)}!`;
  for (const given of [word, [word]]) {
    expect(parseSymbols(given).invalid).toEqual([word.slice(0, 40)]);
  }
});
