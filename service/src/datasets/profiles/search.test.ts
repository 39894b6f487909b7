import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { DirectoryEntry } from './directory-entry.ts';
import {
  inSearchOrder,
  listEntries,
  searchable,
  type SearchableEntry,
  searchEntries,
} from './search.ts';

function entryOf(symbol: string, name: string | null, over: Partial<DirectoryEntry> = {}) {
  return searchable({
    securityId: `sec_${symbol}`,
    symbol,
    name,
    cik: null,
    exchange: null,
    mic: null,
    type: 'equity',
    tags: [],
    active: true,
    formerSymbols: [],
    formerNames: [],
    symbols: [symbol],
    seenAt: null,
    ...over,
  });
}

const until = localDate('2022-06-08');
const ENTRIES = inSearchOrder([
  entryOf('NOR', 'Delta Rope Co.'),
  entryOf('NORTH', 'Alder Works'),
  entryOf('XNS', 'Northgate Instruments Inc.'),
  entryOf('OLD', 'Northern Mills', { active: false }),
  entryOf('META', 'Blue Metal', { formerSymbols: [{ symbol: 'NORD', until }] }),
  entryOf('PLT', 'Plate Glass', { formerNames: ['Plate Glass', 'NORTHPLATE CORP'] }),
  entryOf('BNK', 'Bank of the North'),
  entryOf('BRK.B', 'Stone & Søn Café Holdings', { symbols: ['BRK.B'] }),
  entryOf('BRK.A', "Stone's End"),
]);

function symbolsFor(text: string): string[] {
  return searchEntries(ENTRIES, text).map(({ entry }) => entry.symbol);
}

describe('ranking', () => {
  test.each([
    // The exact symbol, start of a symbol, start of a name, former name, word, and delisted ones.
    ['nor', ['NOR', 'NORTH', 'XNS', 'PLT', 'META', 'BNK', 'OLD']],
    ['north', ['NORTH', 'XNS', 'PLT', 'BNK', 'OLD']],
    // An exact former symbol precedes everything but the exact symbol.
    ['nord', ['META']],
    ['old', ['OLD']],
    ['bank north', ['BNK']],
    ['north bank', ['BNK']],
    ['northgate instruments', ['XNS']],
    ['orth', []],
  ])('finds %j as %j', (text, expected) => {
    expect(symbolsFor(text)).toEqual(expected);
  });

  test('ignores case, accents and punctuation in names and symbols', () => {
    expect(symbolsFor('stone & son cafe')).toEqual([]);
    expect(symbolsFor('STONE & SØN CAFE')).toEqual(['BRK.B']);
    expect(symbolsFor('stones')).toEqual(['BRK.A']);
    for (const text of ['brk.b', 'BRK-B', 'brk/b', 'BRKB'])
      expect(symbolsFor(text)).toEqual(['BRK.B']);
    expect(symbolsFor('brk')).toEqual(['BRK.A', 'BRK.B']);
  });

  test('does not depend on the order of the entries', () => {
    for (const text of ['n', 'nor', 'stone', 'b']) {
      const reversed = searchEntries(inSearchOrder(ENTRIES.toReversed()), text);
      expect(reversed).toEqual(searchEntries(ENTRIES, text));
    }
  });

  test('finds every entry whose symbol or name begins with the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 6 });
    const symbol = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 1, maxLength: 3 });
    const entry = fc.tuple(symbol, symbol, text, text).map(([own, former, name, formerName]) =>
      entryOf(own, name, {
        formerSymbols: [{ symbol: former, until }],
        formerNames: [formerName],
      }),
    );
    const startsWith = (candidate: SearchableEntry, query: string): boolean => {
      const [asSymbol, words] = [query.replaceAll(' ', '').toUpperCase(), query.trim().split(/ +/)];
      const symbols = [candidate.symbol, ...candidate.formerSymbols.map(({ folded }) => folded)];
      const names = [candidate.name, ...candidate.formerNames.map(({ folded }) => folded)];
      return (
        symbols.some((held) => held.startsWith(asSymbol)) ||
        names.some((name) => words.every((word) => ` ${name}`.includes(` ${word}`)))
      );
    };
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), text, (entries, query) => {
        fc.pre(query.trim() !== '');
        const expected = entries.filter((candidate) => startsWith(candidate, query));
        const found = searchEntries(entries, query);
        expect(new Set(found.map((result) => result.entry))).toEqual(
          new Set(expected.map((candidate) => candidate.entry)),
        );
      }),
    );
  });

  test('finds nothing for a text without letters and digits', () => {
    for (const text of ['', ' ', '&', '\u0000', '💹']) expect(symbolsFor(text)).toEqual([]);
  });
});

test('names the symbol or the name that matched', () => {
  const matchFor = (text: string) => searchEntries(ENTRIES, text)[0]?.match;
  expect(matchFor('brkb')).toEqual({ field: 'symbol', text: 'BRK.B' });
  expect(matchFor('nord')).toEqual({ field: 'former-symbol', text: 'NORD' });
  expect(matchFor('northplate')).toEqual({ field: 'former-name', text: 'NORTHPLATE CORP' });
  expect(matchFor('bank')).toEqual({ field: 'name', text: 'Bank of the North' });
});

test('lists all securities by symbol', () => {
  const listed = listEntries(ENTRIES);
  expect(listed.map(({ entry }) => entry.symbol)).toEqual(
    ENTRIES.map(({ entry }) => entry.symbol).toSorted(),
  );
  expect(listed[0]?.match).toBeNull();
});
