import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../vectors/dirty-values/symbols.json' with { type: 'json' };
import { isCanonicalSymbol, parseSymbol, symbolKind } from './symbol.ts';

interface SymbolCase {
  text: string;
  symbol: string | null;
  kind?: string;
}
const cases: SymbolCase[] = vectors.cases;

describe('parseSymbol', () => {
  it.each(cases)('parses the symbol $text as $symbol', ({ text, symbol }) => {
    expect(parseSymbol(text)).toBe(symbol);
  });

  it('leaves a canonical symbol unchanged', () => {
    const symbols = cases.flatMap(({ symbol }) => (symbol === null ? [] : [symbol]));
    expect(symbols.filter((symbol) => !isCanonicalSymbol(symbol))).toEqual([]);
    expect(symbols.length).toBeGreaterThan(50);
  });

  it('rejects a symbol with an unpaired surrogate', () => {
    expect(parseSymbol('\ud800')).toBeNull();
  });

  it('never throws for any text and returns only canonical symbols', () => {
    const pieces = fc.constantFrom('A', 'BRK', 'P', 'PR', 'WS', 'W', 'U', 'US', ':', '.', '-', '^');
    const likely = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), likely), (text) => {
        const symbol = parseSymbol(text);
        return symbol === null || isCanonicalSymbol(symbol);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('symbolKind', () => {
  const kindCases = cases.filter((one) => one.kind !== undefined);

  it.each(kindCases)('classifies the symbol $symbol as $kind', ({ symbol, kind }) => {
    expect(symbolKind(symbol ?? '')).toBe(kind);
  });
});
