import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSymbol } from './symbol.ts';
import { SYMBOL_PATTERN, SYMBOLS_PATTERN } from './symbol-pattern.ts';

const symbol = new RegExp(SYMBOL_PATTERN, 'u');

test('describes exactly the symbols that the service accepts, except for N/A', () => {
  const parts = [
    'US:',
    'US: ',
    '.US',
    'A',
    'brk',
    '1',
    'P',
    'R',
    'PR',
    'ws',
    'WT',
    'U',
    'N',
    'RI',
    'WI',
  ];
  const text = fc.array(fc.constantFrom(...parts, '.', '-', '/', '_', ' ', '^', ',', 'é'), {
    maxLength: 7,
  });
  const trimmed = text.map((list) => list.join('').trim()).filter((it) => it.length <= 24);
  fc.assert(
    fc.property(trimmed, (spelling) => {
      fc.pre(spelling.toUpperCase() !== 'N/A');
      expect(symbol.test(spelling), spelling).toBe(parseSymbol(spelling) !== null);
    }),
    { numRuns: 5_000 },
  );
});

test('describes lists of symbols', () => {
  const symbols = new RegExp(SYMBOLS_PATTERN, 'u');
  expect(['AAPL', 'aapl,BRK.B,BAC^K', '@tech,AAPL'].every((text) => symbols.test(text))).toBe(true);
  expect(['', 'AAPL,', ',AAPL', 'AAPL;MSFT', '@'].some((text) => symbols.test(text))).toBe(false);
});
