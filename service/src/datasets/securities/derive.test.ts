import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { deriveSecurities } from './derive.ts';
import { holderAt } from './holders.ts';
import type { SecurityObservation } from './observation.ts';
import type { Security } from './row.ts';

/** A list that a feed published on a given day, as a map from CIK to symbols. */
type List = readonly [day: string, feed: string, filers: Record<number, readonly string[]>];

describe('a rename', () => {
  test("keeps the security's id if a filer loses one symbol and gains one, and ends the old symbol's period", () => {
    const [before] = securitiesOf(['2026-01-05', 'tickers', { 1: ['OLD'] }]);
    const [after, ...none] = securitiesOf(
      ['2026-01-05', 'tickers', { 1: ['OLD'] }],
      ['2026-02-09', 'tickers', { 1: ['NEW'] }],
    );
    expect(none).toEqual([]);
    expect(after).toMatchObject({ id: before?.id, symbol: 'NEW', active: true });
    expect(after?.symbols).toMatchObject([
      { symbol: 'OLD', from: null, to: '2026-02-08' },
      { symbol: 'NEW', from: '2026-02-09', to: null },
    ]);
  });

  test('does not assume a rename if a filer loses two symbols and gains two', () => {
    const derived = securitiesOf(
      ['2026-01-05', 'tickers', { 1: ['OLDA', 'OLDB'] }],
      ['2026-02-09', 'tickers', { 1: ['NEWA', 'NEWB'] }],
    );
    expect(activeOf(derived)).toEqual({ OLDA: false, OLDB: false, NEWA: true, NEWB: true });
  });

  test('does not assume a rename between a common share and a preferred share', () => {
    const derived = securitiesOf(
      ['2026-01-05', 'tickers', { 1: ['ABC', 'OLD'] }],
      ['2026-02-09', 'tickers', { 1: ['ABC', 'ABC.PR.A'] }],
    );
    expect(activeOf(derived)).toEqual({ ABC: true, OLD: false, 'ABC.PR.A': true });
  });

  test('does not assume a rename while both symbols are listed, as for a new share class', () => {
    const derived = securitiesOf(
      ['2026-01-05', 'tickers', { 1: ['ABC'] }],
      ['2026-02-09', 'tickers', { 1: ['ABC', 'ABCL'] }],
    );
    expect(activeOf(derived)).toEqual({ ABC: true, ABCL: true });
  });

  test('tracks a security through a chain of renames', () => {
    const [only] = securitiesOf(
      ['2026-01-05', 'tickers', { 1: ['ONE'] }],
      ['2026-02-09', 'tickers', { 1: ['TWO'] }],
      ['2026-03-09', 'tickers', { 1: ['THREE'] }],
    );
    expect(only?.symbols.map(({ symbol }) => symbol)).toEqual(['ONE', 'TWO', 'THREE']);
  });
});

test('keeps a symbol active while another list still contains it', () => {
  const derived = securitiesOf(
    ['2026-01-05', 'tickers', { 1: ['ABC', 'ABCL'] }],
    ['2026-01-06', 'tickers-exchange', { 1: ['ABC'] }],
    ['2026-01-07', 'submissions', { 1: ['ABC'] }],
  );
  expect(activeOf(derived)).toEqual({ ABC: true, ABCL: true });
});

test('does not treat symbols without a filer as a rename', () => {
  const first = history('ABC', null, 'files', ['2026-01-05']);
  const second = history('XYZ', null, 'files', ['2026-02-05']);
  expect(activeOf(deriveSecurities([first, second], []))).toEqual({ ABC: true, XYZ: true });
});

test("maps two sources' keys for one listing to the same security", () => {
  const list = history('ABC', 1, 'sec', ['2026-01-05']);
  const file = { ...history('ABC', 1, 'files', ['2026-02-05']), naturalKey: 'listing' };
  expect(deriveSecurities([list, file], [])).toHaveLength(1);
});

describe('a reused symbol', () => {
  const derived = securitiesOf(
    ['2026-01-05', 'tickers', { 1: ['ABC'], 2: ['TWO'] }],
    ['2026-02-09', 'tickers', { 2: ['TWO', 'ABC'] }],
  );

  test('assigns a reused symbol to its first holder until the day before the second holder was first seen with it', () => {
    const spans = derived
      .flatMap(({ cik, symbols }) => symbols.map((span) => [cik, span] as const))
      .filter(([, { symbol }]) => symbol === 'ABC');
    expect(spans).toMatchObject([
      [cikOf(1), { symbol: 'ABC', from: null, to: '2026-02-08' }],
      [cikOf(2), { symbol: 'ABC', from: '2026-02-09', to: null }],
    ]);
    expect(new Set(derived.map(({ id }) => id)).size).toBe(3);
  });

  test('resolves a reused symbol to a security on every day', () => {
    const holderOf = holderAt(derived);
    const filerOn = (day: string) =>
      derived.find(({ id }) => id === holderOf('ABC', day as never))?.cik;
    expect(filerOn('1999-01-01')).toBe(cikOf(1));
    expect(filerOn('2026-02-08')).toBe(cikOf(1));
    expect(filerOn('2026-02-09')).toBe(cikOf(2));
    expect(holderOf('NONE', '2026-02-09' as never)).toBeNull();
  });

  test('leaves the first holder of a reused symbol without an active symbol', () => {
    expect(derived.find(({ cik }) => cik === cikOf(1))?.active).toBe(false);
  });

  test('resolves both the old and the new symbol of a renamed security to that security on any day', () => {
    const [renamed] = securitiesOf(
      ['2026-01-05', 'tickers', { 1: ['OLD'] }],
      ['2026-02-09', 'tickers', { 1: ['NEW'] }],
    );
    const holderOf = holderAt(renamed === undefined ? [] : [renamed]);
    expect(holderOf('NEW', '2025-01-01' as never)).toBe(renamed?.id);
    expect(holderOf('OLD', '2027-01-01' as never)).toBe(renamed?.id);
  });
});

test.each([
  [
    ['GOOG', 'GOOGL'],
    ['GOOG', 'GOOGL'],
  ],
  [
    ['FOX', 'FOXA'],
    ['FOX', 'FOXA'],
  ],
  [
    ['BRK.A', 'BRK.B'],
    ['BRK.A', 'BRK.B'],
  ],
  [
    ['LBTYA', 'LBTYB', 'LBTYK'],
    ['LBTYA', 'LBTYB', 'LBTYK'],
  ],
  [['BAC', 'BAC.PR.K', 'BAC.PR.L'], ['BAC']],
  [['T', 'TBB', 'TBC', 'T.PR.A'], ['T']],
  [['SPAC', 'SPACU', 'SPACW', 'SPAC.WS'], ['SPAC']],
  [
    ['QRTEA', 'QRTEB', 'QRTEP'],
    ['QRTEA', 'QRTEB'],
  ],
])('for a filer with the symbols %j, assigns its reports to %j', (symbols, reporting) => {
  const derived = securitiesOf(['2026-01-05', 'tickers', { 1: symbols }]);
  const reports = derived.filter((security) => security.reports).map(({ symbol }) => symbol);
  expect(reports.toSorted()).toEqual(reporting);
});

describe('a symbol that is in no list', () => {
  test('derives a security from a symbol that is in no list, and keeps its id when a list contains it', () => {
    const [implied] = deriveSecurities([], ['ABC']);
    expect(implied).toMatchObject({ symbol: 'ABC', cik: null, listedAt: null, active: true });
    const [listed] = securitiesOf(['2026-01-05', 'tickers', { 1: ['ABC'] }]);
    expect(listed?.id).toBe(implied?.id);
  });
});

test('derives the same securities regardless of the order of the histories', () => {
  const lists = fc.array(
    fc.record({
      day: fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}`),
      feed: fc.constantFrom('tickers', 'submissions'),
      filer: fc.integer({ min: 1, max: 3 }),
      symbols: fc.subarray(['ABC', 'ABCL', 'XYZ', 'NEW'], { minLength: 1 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(lists, fc.infiniteStream(fc.nat()), (world, noise) => {
      const histories = historiesOf(
        world.map(({ day, feed, filer, symbols }): List => [day, feed, { [filer]: symbols }]),
      );
      const shuffled = histories
        .map((entry) => ({ entry, key: noise.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ entry }) => entry);
      const expected = canonical(deriveSecurities(histories, ['XYZ', 'ODD']));
      expect(canonical(deriveSecurities(shuffled, ['ODD', 'XYZ']))).toEqual(expected);
      expect(new Set(expected.map(({ id }) => id)).size).toBe(expected.length);
    }),
    { seed: 20261120, numRuns: 300 },
  );
});

function canonical(securities: readonly Security[]): Security[] {
  return securities.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function activeOf(securities: readonly Security[]): Record<string, boolean> {
  return Object.fromEntries(securities.map(({ symbol, active }) => [symbol, active]));
}

function securitiesOf(...lists: readonly List[]): Security[] {
  return deriveSecurities(historiesOf(lists), []);
}

function historiesOf(lists: readonly List[]): ObservationHistory<SecurityObservation>[] {
  const days = new Map<string, string[]>();
  for (const [day, feed, filers] of lists) {
    for (const [filer, symbols] of Object.entries(filers)) {
      for (const symbol of symbols) {
        const key = [feed, filer, symbol].join(' ');
        days.set(key, [...(days.get(key) ?? []), day]);
      }
    }
  }
  return [...days].map(([key, seen]) => {
    const [feed = '', filer = '', symbol = ''] = key.split(' ');
    return history(symbol, Number(filer), 'sec', [...new Set(seen)].toSorted(), feed);
  });
}

function history(
  symbol: string,
  filer: number | null,
  provider: string,
  days: readonly string[],
  feed = 'list',
): ObservationHistory<SecurityObservation> {
  const cik = filer === null ? null : cikOf(filer);
  const fields = { symbol, cik, name: `Filer ${filer}`, exchange: 'NYSE' };
  return {
    provider,
    feed,
    entityKey: symbol,
    naturalKey: cik ?? 'listing',
    observations: days.map((day) => ({ at: Date.parse(`${day}T12:00:00Z`), recordId: 1, fields })),
  };
}

function cikOf(filer: number): string {
  return String(9_990_000 + filer).padStart(10, '0');
}
