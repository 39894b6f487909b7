import { describe, expect, test } from 'vitest';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { deriveSecurities } from './derive.ts';
import type { SecurityObservation } from './observation.ts';
import type { Security } from './row.ts';
import { NO_SIZES, type Size, type Sizes } from './sizes.ts';
import type { SymbolName } from './symbol-names.ts';

const MARCH = '2026-03-02';
const JUNE = '2026-06-01';

describe('a new filer under the same symbol', () => {
  test.each([
    ['an equal name', 'NORTHGATE CORP', 'Northgate Corporation'],
    ['a name in one word', 'North Gate Corp', 'NorthGate Inc.'],
    ['a name with a place', 'NORTHGATE BANCORP, INC.', 'Northgate Bancorp, Inc. /MD/'],
    ['a holding company', 'Northgate Inc.', 'Northgate Holdings Inc.'],
    ['a longer name', 'NORTHGATE INC', 'Northgate Tools Ltd.'],
  ])('keeps the security of a company with %s', (_, before, after) => {
    const [first] = securitiesOf([list(MARCH, 'NRTH', 1, before)]);
    const all = securitiesOf([list(MARCH, 'NRTH', 1, before), list(JUNE, 'NRTH', 2, after)]);
    expect(all).toMatchObject([
      { id: first?.id, cik: cikOf(2), formerCiks: [cikOf(1)], name: after, active: true },
    ]);
  });

  test('starts a security for another company, also with a number in the same series', () => {
    for (const after of ['Meridian Mining Corp', 'Northgate Acquisition Corp. III']) {
      const before = 'Northgate Acquisition Corp. II';
      const all = securitiesOf([list(MARCH, 'NRTH', 1, before), list(JUNE, 'NRTH', 2, after)]);
      expect(activeByFiler(all)).toEqual({ [cikOf(1)]: false, [cikOf(2)]: true });
    }
  });

  test.each([
    ['keeps the security if price and size continue', { close: 52, marketCap: 6.6e9 }, 1],
    ['starts a security if the size is another', { close: 13, marketCap: 2.1e9 }, 2],
    ['starts a security if the size is unknown', null, 2],
  ])('under another name, %s', (_, after, count) => {
    const sizes = sizesOf({ close: 33, marketCap: 8e9 }, after);
    const lists = [list(MARCH, 'NRTH', 1, 'Northgate Bank SA'), list(JUNE, 'NRTH', 2, 'Grupo Rio')];
    expect(deriveSecurities(lists, [], { names: [], formerNames: [], sizes })).toHaveLength(count);
  });

  test('starts a security if either filer exchanged another symbol', () => {
    const name = 'Northgate Corp';
    const arrived = [
      list(MARCH, 'NRTH', 1, name),
      list(MARCH, 'OLDN', 2, name),
      list(JUNE, 'NRTH', 2, name),
    ];
    expect(securitiesOf(arrived)).toMatchObject([
      { cik: cikOf(1), active: false },
      { cik: cikOf(2), symbol: 'NRTH', symbols: [{ symbol: 'OLDN' }, { symbol: 'NRTH' }] },
    ]);
    const departed = [
      list(MARCH, 'NRTH', 1, name),
      list(JUNE, 'NEWN', 1, name),
      list(JUNE, 'NRTH', 2, name),
    ];
    expect(securitiesOf(departed)).toMatchObject([
      { cik: cikOf(1), symbol: 'NEWN', active: true },
      { cik: cikOf(2), symbol: 'NRTH', active: true },
    ]);
  });

  test('moves all symbols of a filer if one of them shows the reorganization', () => {
    const lists = ['NRTHA', 'NRTHB'].flatMap((symbol) => [
      list(MARCH, symbol, 1, 'Northgate Media Corp'),
      list(JUNE, symbol, 2, 'Rio Live Holdings'),
    ]);
    const size = { close: 88, marketCap: 8e9 };
    const sizes: Sizes = {
      until: (symbol) => (symbol === 'NRTHA' ? size : null),
      since: (symbol) => (symbol === 'NRTHA' ? size : null),
    };
    expect(deriveSecurities(lists, [], { names: [], formerNames: [], sizes })).toHaveLength(2);
  });
});

describe('a symbol with other companies before its filer', () => {
  const lists = [list(JUNE, 'BAR', 1, 'Barclay Mining Corp')];
  const small = { close: 40, marketCap: 2e9 };
  const large = { close: 34, marketCap: 58e9 };

  test('starts a security for the filer if the former company had another size', () => {
    const names = [nameOf('BAR', 'Barton Group Inc. Common Stock', '2024-01-02', '2024-07-05')];
    const all = deriveSecurities(lists, [], {
      names,
      formerNames: [],
      sizes: sizesOf(small, large),
    });
    expect(all).toMatchObject([
      { cik: null, active: false, symbols: [{ from: null, to: '2026-05-31' }] },
      { cik: cikOf(1), active: true, symbols: [{ from: '2026-06-01', to: null }] },
    ]);
  });

  test.each([
    ['has no prices', NO_SIZES],
    [
      'split its shares',
      sizesOf({ close: 1300, marketCap: 2e10 }, { close: 300, marketCap: 1e11 }),
    ],
    ['shrank', sizesOf({ close: 10, marketCap: 4e9 }, { close: 5, marketCap: 4e8 })],
  ])('keeps one security for a company that changed its name and %s', (_, sizes) => {
    const names = [nameOf('BAR', 'Barton Group Inc. Common Stock', '2024-01-02', '2024-07-05')];
    expect(deriveSecurities(lists, [], { names, formerNames: [], sizes })).toHaveLength(1);
  });

  test('starts with the day on which sources first gave the name of the filer', () => {
    const names = [
      nameOf('BAR', 'Barton Group Inc. Common Stock', '2024-01-02', '2024-07-05'),
      nameOf('BAR', 'Barclay Mining Corporation Common Shares', '2025-10-03', '2026-06-05'),
    ];
    const all = deriveSecurities(lists, [], {
      names,
      formerNames: [],
      sizes: sizesOf(small, large),
    });
    expect(all.at(-1)?.symbols).toMatchObject([{ from: '2025-10-03' }]);
  });

  test('gives the later company the same id before and after its filer is known', () => {
    const names = [
      nameOf('BAR', 'Barton Group Inc. Common Stock', '2024-01-02', '2024-07-05'),
      nameOf('BAR', 'Barclay Mining Corporation Common Shares', '2025-10-03', '2026-06-05'),
    ];
    const evidence = { names, formerNames: [], sizes: sizesOf(small, large) };
    const idsOf = (all: readonly Security[]) => new Set(all.map(({ id }) => id));
    expect(idsOf(deriveSecurities([], ['BAR'], evidence))).toEqual(
      idsOf(deriveSecurities(lists, [], evidence)),
    );
  });
});

function securitiesOf(lists: readonly ObservationHistory<SecurityObservation>[]): Security[] {
  const filersListed = Map.groupBy(lists, ({ naturalKey }) => naturalKey);
  expect(filersListed.size).toBeGreaterThan(0);
  return deriveSecurities(lists, []).toSorted((a, b) => ((a.cik ?? '') < (b.cik ?? '') ? -1 : 1));
}

function activeByFiler(securities: readonly Security[]): Record<string, boolean> {
  return Object.fromEntries(securities.map(({ cik, active }) => [cik ?? '', active]));
}

function list(
  day: string,
  symbol: string,
  filer: number,
  name: string,
): ObservationHistory<SecurityObservation> {
  const cik = cikOf(filer);
  const fields = { symbol, cik, name, exchange: 'NYSE' };
  return {
    provider: 'sec',
    feed: 'company-tickers',
    entityKey: symbol,
    naturalKey: cik,
    observations: [{ at: instantOf(day), recordId: 1, fields }],
  };
}

function nameOf(symbol: string, name: string, from: string, to: string): SymbolName {
  const period = { from: instantOf(from), to: instantOf(to) };
  return { symbol, name, ...period, byFeed: new Map([['nasdaq/screener', period]]) };
}

function sizesOf(before: Size, after: Size | null): Sizes {
  return { until: () => before, since: () => after };
}

function instantOf(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}

function cikOf(filer: number): string {
  return String(9_990_000 + filer).padStart(10, '0');
}
