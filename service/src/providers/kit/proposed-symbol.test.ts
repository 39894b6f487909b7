import { expect, it } from 'vitest';
import { readProposedSymbol } from './proposed-symbol.ts';

it.each(['', ' ', '--', '—', 'N/A', 'n/a', 'None', 'null', 'TBA', 'tbd'])(
  '%j says that an offering has no ticker yet',
  (text) => {
    expect(readProposedSymbol({ symbol: text }, 'symbol')).toBeNull();
  },
);

it('a row without the column has none', () => {
  expect(readProposedSymbol({}, 'symbol')).toBeNull();
});

it.each([
  ['NA', 'NA'],
  ['NAN', 'NAN'],
  [' NONE ', 'NONE'],
  ['cldv/u', 'CLDV.U'],
])('%j is the ticker %s', (text, symbol) => {
  expect(readProposedSymbol({ symbol: text }, 'symbol')).toBe(symbol);
});

it('what cannot be a ticker is a bad one', () => {
  expect(() => readProposedSymbol({ symbol: '$$$' }, 'symbol')).toThrow(
    expect.objectContaining({ reason: 'bad-symbol' }),
  );
});
