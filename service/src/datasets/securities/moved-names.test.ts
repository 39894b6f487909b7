import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { type CompanyEvidence, deriveSecurities } from './derive.ts';
import type { FormerName } from './moved-names.ts';
import type { SecurityObservation } from './observation.ts';
import { securityId } from './row.ts';
import { NO_SIZES, type Size } from './sizes.ts';
import { oldestFirst, type SymbolName } from './symbol-names.ts';

type Histories = readonly ObservationHistory<SecurityObservation>[];

const CLASS_A = 'Quarry Inc. Class A Common Stock';
const BEFORE = nameOf('QRY', CLASS_A, ['2023-10-30', '2024-07-05']);
const AFTER = nameOf('BLK', CLASS_A, ['2025-10-03', '2026-05-08']);
const LISTED = list('2025-03-08', 'BLK', 1, 'Quarry, Inc.');

describe('a company name that moves to another symbol', () => {
  test('continues the security, whether or not a list gives the new symbol to a filer', () => {
    for (const lists of [[LISTED], []]) {
      const all = derive(lists, { names: [BEFORE, AFTER] });
      expect(all).toMatchObject([{ id: securityId('QRY', null), symbol: 'BLK', active: true }]);
      const [old, current] = all[0]?.symbols ?? [];
      expect(old).toMatchObject({ symbol: 'QRY', from: null });
      expect(old?.to).toBe(lists.length > 0 ? '2025-03-07' : '2025-10-02');
      expect(current).toMatchObject({ symbol: 'BLK', to: null, hasNamesake: true });
    }
  });

  test('keeps the filer of the old symbol until a list gives the new one', () => {
    const [only] = derive([list('2023-10-30', 'QRY', 1, 'Quarry, Inc.')], {
      names: [BEFORE, AFTER],
    });
    expect(only).toMatchObject({ symbol: 'BLK', cik: cikOf(1), formerCiks: [], reports: true });
  });

  test('keeps the id of reports first seen before the name came to the new symbol', () => {
    const [only] = derive([LISTED], { names: [BEFORE, AFTER] });
    expect(only?.symbols.at(-1)?.earlierId).toEqual({
      id: securityId('BLK', null),
      until: instantOf('2025-10-03'),
    });
  });

  test('is known from the first name or list that shows it', () => {
    const lists = [list('2023-10-30', 'QRY', 1, 'Quarry, Inc.'), list('2026-06-30', 'BLK', 1, 'Q')];
    const [only] = derive(lists, { names: [BEFORE, AFTER] });
    expect(only?.symbols.at(-1)?.earlierId?.until).toBe(instantOf('2025-10-03'));
  });

  test('counts for a feed that adopts the new symbol a day later than another', () => {
    const [directory, late] = ['nasdaq-trader/directory', 'nasdaq/screener'];
    const names = [
      nameOf('QRY', CLASS_A, ['2026-04-01', '2026-04-15'], directory),
      nameOf('QRY', 'Quarry, Inc. Class A Common Stock', ['2026-04-01', '2026-04-17'], late),
      nameOf('BLK', CLASS_A, ['2026-04-16', '2026-05-08'], directory),
      nameOf('BLK', 'Quarry, Inc. Class A Common Stock', ['2026-04-20', '2026-05-08'], late),
    ];
    expect(derive([], { names })).toHaveLength(1);
  });

  test.each<[string, { names: SymbolName[]; lists?: Histories; sizes?: [Size, Size] }]>([
    ['both symbols have the name', { names: [{ ...BEFORE, ...until('2025-10-03') }, AFTER] }],
    [
      'both symbols have the name in different feeds',
      { names: [nameOf('QRY', CLASS_A, ['2023-10-30', '2025-10-03'], 'fmp/profile'), AFTER] },
    ],
    [
      'the new symbol is of another class',
      { names: [BEFORE, nameOf('BLK', 'Quarry Inc. Class B Common Stock', ['2025-10-03'])] },
    ],
    ['the new symbol is a preferred share', { names: [BEFORE, { ...AFTER, symbol: 'BLK.PR.A' }] }],
    [
      'a third symbol has the name',
      { names: [BEFORE, AFTER, nameOf('QRZ', CLASS_A, ['2024-07-05', '2025-10-03'])] },
    ],
    [
      'years pass in between',
      { names: [BEFORE, nameOf('BLK', CLASS_A, ['2027-10-03', '2027-10-08'])] },
    ],
    [
      'the sizes prove two companies',
      {
        names: [BEFORE, AFTER],
        sizes: [
          { close: 12, marketCap: 4.6e8 },
          { close: 16, marketCap: 3.3e9 },
        ],
      },
    ],
    [
      'lists give the symbols to different filers',
      { names: [BEFORE, AFTER], lists: [list('2023-10-30', 'QRY', 2, 'Quarry Inc.'), LISTED] },
    ],
    [
      'the company with the new symbol had another name there before',
      {
        names: [BEFORE, AFTER, nameOf('BLK', 'Greater Quarry Inc.', ['2023-10-30', '2024-07-05'])],
      },
    ],
  ])('does not continue the security if %s', (_, { names, lists = [], sizes }) => {
    const evidence = { names: names.toSorted(oldestFirst), sizes: sizesOf(sizes) };
    const ofQuarry = derive(lists, evidence).filter(({ symbols }) => symbols.length > 1);
    expect(ofQuarry).toEqual([]);
  });
});

describe('a symbol whose company moved away', () => {
  const own = ['2026-03-30', '2026-05-08'] as const;

  test('starts a security for its next company, even if the sizes are alike', () => {
    const names = [
      nameOf('QRY', CLASS_A, ['2023-10-30', '2023-11-07']),
      nameOf('BLK', CLASS_A, ['2024-06-28', '2026-05-08']),
      nameOf('QRY', 'Ethical Loans Inc. Class A Common Stock', own),
    ];
    const all = derive([list('2026-06-30', 'QRY', 2, 'Ethical Loans Inc.'), LISTED], { names });
    expect(summary(all)).toEqual(['BLK QRY..2024-06-27 BLK', 'QRY QRY']);
  });

  test('ends the security of the company that another replaces under its symbol', () => {
    const names = [
      nameOf('BLK', 'Black Lake Railways Common Stock', ['2023-10-30', '2024-07-05']),
      BEFORE,
      AFTER,
    ];
    for (const lists of [[list('2026-06-30', 'BLK', 1, 'Quarry, Inc.')], []]) {
      const all = derive(lists, { names });
      expect(summary(all)).toEqual(['BLK BLK..2025-10-02', 'BLK QRY..2025-10-02 BLK']);
    }
  });

  test('tells the companies apart by a name between the oldest and that of the filer', () => {
    const names = [
      nameOf('BLK', 'Blake Health Inc. Common Stock', ['2021-02-25', '2021-02-26']),
      nameOf('QRY', CLASS_A, ['2021-02-25', '2021-02-26']),
      nameOf('BLK', CLASS_A, ['2023-10-30', '2024-07-05']),
    ];
    const all = derive([list('2025-03-08', 'BLK', 1, 'Blake Recycling, Inc.')], { names });
    expect(summary(all)).toEqual(['BLK BLK..2023-10-29', 'BLK QRY..2023-10-29 BLK']);
  });

  test('keeps the security of a company that takes over the name of a company it merged with', () => {
    const names = [
      nameOf('BLK', 'South Quarry Inc. Class A Common Stock', ['2023-10-30', '2024-07-05']),
      BEFORE,
      AFTER,
    ];
    expect(summary(derive([LISTED], { names }))).toEqual(['BLK BLK', 'QRY QRY']);
  });
});

test('a company that returns to an earlier symbol keeps its security, and the other symbol ends when last seen', () => {
  const lists = [
    list('2025-03-08', 'QRY', 1, 'Quarry Inc.'),
    list('2026-06-30', 'BLK', 1, 'Quarry'),
  ];
  const names = [
    nameOf('BLK', CLASS_A, ['2021-02-25', '2026-05-08']),
    nameOf('QRY', CLASS_A, ['2023-10-30', '2025-10-08']),
  ];
  expect(summary(derive(lists, { names }))).toEqual(['BLK QRY..2025-10-08 BLK']);
});

describe('a former name of a filer', () => {
  const old = nameOf('FACT', 'Factory Tools Inc. Class A Common Stock', [
    '2021-02-25',
    '2021-02-26',
  ]);
  const current = nameOf('META', 'Metal Works Inc. Class A Common Stock', [
    '2023-10-30',
    '2026-05-08',
  ]);
  const lists = [list('2025-03-08', 'META', 1, 'METAL WORKS, INC.')];
  const former: FormerName = {
    cik: cikOf(1),
    name: 'FACTORY TOOLS INC /DE/',
    until: localDate('2021-10-27'),
    at: instantOf('2026-02-01'),
  };

  test('ties the symbol that had it to the security', () => {
    const [only, ...others] = derive(lists, { names: [old, current], formerNames: [former] });
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      id: securityId('FACT', null),
      symbol: 'META',
      symbols: [{ to: '2023-10-29' }, { from: '2023-10-30' }],
    });
    expect(only?.symbols[1]?.earlierId?.until).toBe(former.at);
  });

  test('tells a later company of the old symbol apart', () => {
    const later = nameOf('FACT', 'Factor Living Inc. Common Stock', ['2026-03-30', '2026-05-08']);
    const names = [old, current, later];
    expect(derive(lists, { names })).toHaveLength(2);
    expect(summary(derive(lists, { names, formerNames: [former] }))).toEqual([
      'FACT FACT',
      'META FACT..2023-10-29 META',
    ]);
  });

  test.each<[string, { names: SymbolName[]; formerNames: FormerName[]; lists?: Histories }]>([
    [
      'it ended before the symbol had it',
      { names: [old, current], formerNames: [{ ...former, until: localDate('2020-10-27') }] },
    ],
    [
      'the shares are of another class',
      {
        names: [nameOf('FACT', 'Factory Tools Inc. Class B Common Stock', ['2021-02-25']), current],
        formerNames: [former],
      },
    ],
    [
      'it belongs to two filers',
      {
        names: [old, current],
        formerNames: [former, { ...former, cik: cikOf(2) }],
        lists: [...lists, list('2025-03-08', 'OTHR', 2, 'Other Works Inc.')],
      },
    ],
    [
      'the company still has the old symbol',
      { names: [{ ...old, ...until('2024-01-02') }, current], formerNames: [former] },
    ],
  ])('does not count if %s', (_, { names, formerNames, lists: others = lists }) => {
    const all = derive(others, { names: names.toSorted(oldestFirst), formerNames });
    expect(all.filter(({ symbols }) => symbols.length > 1)).toEqual([]);
  });
});

test('derives the same securities from names in any order', () => {
  const symbols = ['QRY', 'BLK', 'ONE'];
  const companies = [CLASS_A, 'Quarry Inc. Class B Common Stock', 'Oneida Corp. Common Stock'];
  const names = fc.uniqueArray(
    fc.record({
      symbol: fc.constantFrom(...symbols),
      name: fc.constantFrom(...companies),
      year: fc.integer({ min: 2020, max: 2025 }),
      years: fc.integer({ min: 0, max: 2 }),
    }),
    { selector: ({ symbol, name }) => `${symbol} ${name}`, minLength: 2 },
  );
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.nat()), (generated, noise) => {
      const all = generated.map(({ symbol, name, year, years }) =>
        nameOf(symbol, name, [`${year}-01-05`, `${year + years}-06-05`]),
      );
      const shuffled = all
        .map((name) => ({ name, key: noise.next().value }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ name }) => name);
      const formerNames = [
        {
          cik: cikOf(1),
          name: 'Oneida Corp',
          until: localDate('2023-01-01'),
          at: instantOf('2024-01-01'),
        },
      ];
      const inOrder = derive([LISTED], { names: all.toSorted(oldestFirst), formerNames });
      const anyOrder = derive([LISTED], { names: shuffled.toSorted(oldestFirst), formerNames });
      expect(summary(anyOrder)).toEqual(summary(inOrder));
      const ids = inOrder.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { seed: 20261124 },
  );
});

function derive(lists: Histories, evidence: Partial<CompanyEvidence>) {
  const all = { names: [], formerNames: [], sizes: NO_SIZES, ...evidence };
  const symbols = all.names.map(({ symbol }) => symbol);
  return deriveSecurities(lists, symbols, all).toSorted((a, b) =>
    `${a.symbol}${a.symbols[0]?.to}` < `${b.symbol}${b.symbols[0]?.to}` ? -1 : 1,
  );
}

/** Lists each security as its symbol, then its symbols with their last days. */
function summary(securities: ReturnType<typeof derive>): string[] {
  return securities
    .map(({ symbol, symbols }) =>
      [
        symbol,
        ...symbols.map((span) => span.symbol + (span.to === null ? '' : `..${span.to}`)),
      ].join(' '),
    )
    .toSorted();
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

function nameOf(
  symbol: string,
  name: string,
  [from, to = from]: readonly [string, string?],
  feed = 'nasdaq/screener',
): SymbolName {
  const period = { from: instantOf(from), to: instantOf(to) };
  return { symbol, name, ...period, byFeed: new Map([[feed, period]]) };
}

/** The end of a name's period, in all feeds. */
function until(day: string): Pick<SymbolName, 'to' | 'byFeed'> {
  const period = { from: BEFORE.from, to: instantOf(day) };
  return { to: period.to, byFeed: new Map([['nasdaq/screener', period]]) };
}

function sizesOf([before, after]: [Size, Size] | [] = []): CompanyEvidence['sizes'] {
  return { until: () => before ?? null, since: () => after ?? null };
}

function instantOf(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}

function cikOf(filer: number): string {
  return String(9_990_000 + filer).padStart(10, '0');
}
