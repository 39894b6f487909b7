import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { foldCompanyName } from '../../domain/company-name.ts';
import type { IpoHistory } from './attempts.ts';
import { deriveIpos } from './derive.ts';
import type { IpoObservation } from './observation.ts';
import type { Ipo } from './row.ts';

let lastRecordId = 0;

type StageFields = Partial<Record<keyof IpoObservation, string | null>> & { stage: string };

/**
 * Builds a history of the values that a provider reported for one stage of a deal on these days in
 * November 2026.
 */
function history(
  provider: string,
  key: string | null,
  companyName: string,
  ...fields: (readonly [day: number, fields: StageFields])[]
): IpoHistory {
  const stage = fields[0]?.[1].stage ?? '';
  return {
    provider,
    feed: 'calendar',
    entityKey: foldCompanyName(companyName) ?? '',
    naturalKey: `${key ?? 'deal'}/${stage}`,
    observations: fields.map(([day, fields]) => ({
      at: Date.UTC(2026, 10, day),
      recordId: ++lastRecordId,
      fields: { dealKey: key, companyName, ...fields } as IpoObservation,
    })),
  };
}

function onlyIpo(histories: readonly IpoHistory[]): Ipo {
  const ipos = deriveIpos(histories);
  const [first] = ipos;
  if (first === undefined || ipos.length > 1) throw new Error(`${ipos.length} deals`);
  return first;
}

const filed = history('nasdaq', '99-1', 'CALDER VALE INC.', [
  2,
  { stage: 'filed', symbol: 'CLDV', filedDate: '2026-11-02', dealSize: '100000000' },
]);
const expected = history('nasdaq', '99-1', 'Calder Vale, Inc.', [
  9,
  {
    stage: 'expected',
    symbol: 'CLDV',
    exchange: 'NASDAQ Global Select',
    expectedDate: '2026-11-24',
    priceLow: '14',
    priceHigh: '16',
    shares: '9000000',
  },
]);
const priced = history('nasdaq', '99-1', 'Calder Vale, Inc.', [
  25,
  { stage: 'priced', symbol: 'CLDV', pricedDate: '2026-11-24', price: '15.5', shares: '9500000' },
]);

describe('a deal with one key', () => {
  it('keeps one row with one id for a deal with one key, from filing to pricing', () => {
    const states = [[filed], [filed, expected], [filed, expected, priced]].map(onlyIpo);
    expect(new Set(states.map(({ id }) => id)).size).toBe(1);
    expect(states.map(({ status, date, dateStatus }) => [status, date, dateStatus])).toEqual([
      ['filed', null, 'unknown'],
      ['expected', '2026-11-24', 'expected'],
      ['priced', '2026-11-24', 'confirmed'],
    ]);
    expect(states[2]).toMatchObject({
      filedDate: '2026-11-02',
      priceLow: '14',
      priceHigh: '16',
      price: '15.5',
      shares: '9500000',
      exchange: 'NASDAQ',
      mic: 'XNAS',
      dealSize: '100000000',
    });
  });

  it('marks a deal as withdrawn, without a date, if the withdrawal is its latest stage', () => {
    const withdrawn = history('nasdaq', '99-1', 'Calder Vale, Inc.', [
      27,
      { stage: 'withdrawn', withdrawnDate: '2026-11-26' },
    ]);
    expect(onlyIpo([filed, expected, withdrawn])).toMatchObject({
      status: 'withdrawn',
      date: null,
    });
    const earlier = history('nasdaq', '99-1', 'Calder Vale, Inc.', [
      27,
      { stage: 'withdrawn', withdrawnDate: '2026-11-20' },
    ]);
    expect(onlyIpo([earlier, priced]).status).toBe('priced');
  });

  it('shows no date for a deal while it is postponed', () => {
    const fields: [number, StageFields][] = [
      [9, { stage: 'expected', expectedDate: '2026-11-24' }],
      [12, { stage: 'postponed', expectedDate: null }],
    ];
    const putOff = history('nasdaq', '99-1', 'Calder Vale, Inc.', ...fields);
    expect(onlyIpo([filed, putOff])).toMatchObject({ status: 'postponed', date: null });
    const second = history('nasdaq', '99-1', 'Calder Vale, Inc.', ...fields, [
      20,
      { stage: 'expected', expectedDate: '2026-12-08' },
    ]);
    expect(onlyIpo([filed, second])).toMatchObject({ status: 'expected', date: '2026-12-08' });
  });
});

describe('a company in a source without keys', () => {
  function fields(stage: string, day: number, date: string, fields: object = {}): IpoHistory {
    const step = { stage, [`${stage}Date`]: date, ...fields };
    return history('finnhub', null, 'Calder Vale', [day, step]);
  }

  it('creates a second deal for a company that files again after a withdrawal, and keeps the first one', () => {
    const gone = [fields('filed', 1, '2026-02-02'), fields('withdrawn', 2, '2026-05-04')];
    const second = history(
      'finnhub',
      null,
      'Calder Vale',
      [1, { stage: 'filed', filedDate: '2026-02-02' }],
      [10, { stage: 'filed', filedDate: '2026-11-09' }],
    );
    const before = onlyIpo(gone);
    expect(before).toMatchObject({ status: 'withdrawn', filedDate: '2026-02-02' });
    const deals = deriveIpos([second, ...gone.slice(1)]);
    expect(deals.map(({ id, status, filedDate }) => ({ id, status, filedDate }))).toEqual(
      expect.arrayContaining([
        { id: before.id, status: 'withdrawn', filedDate: '2026-02-02' },
        { id: expect.not.stringContaining(before.id), status: 'filed', filedDate: '2026-11-09' },
      ]),
    );
    const coming = fields('expected', 12, '2026-12-01');
    const later = deriveIpos([second, ...gone.slice(1), coming]);
    expect(later.map(({ status, date }) => `${status} ${date}`).toSorted()).toEqual([
      'expected 2026-12-01',
      'withdrawn null',
    ]);
  });

  it('creates a second deal for a company that was already listed years ago', () => {
    const first = fields('priced', 1, '2020-05-09', { price: '15' });
    const deals = deriveIpos([first, fields('filed', 2, '2026-09-01')]);
    expect(deals.map(({ status }) => status).toSorted()).toEqual(['filed', 'priced']);
  });

  it('keeps a single deal for a company as long as the dates fit one', () => {
    const steps = [
      fields('filed', 2, '2026-11-26'),
      fields('expected', 3, '2026-12-20'),
      fields('withdrawn', 4, '2026-11-23'),
      fields('priced', 5, '2026-11-24', { price: '15' }),
    ];
    expect(onlyIpo(steps).status).toBe('priced');
    expect(onlyIpo(steps.slice(0, 3)).status).toBe('withdrawn');
  });
});

describe('deals from two sources', () => {
  it.each([
    ['the same name', 'Calder Vale Incorporated', null],
    ['the same symbol', 'Calder Vale Holdings Group', 'CLDV'],
  ])('merges deals from two sources if they have %s', (_, name, symbol) => {
    const other = history('finnhub', null, name, [
      10,
      { stage: 'expected', symbol, expectedDate: '2026-11-25', currency: 'USD' },
    ]);
    expect(onlyIpo([filed, expected, other])).toMatchObject({
      date: '2026-11-24',
      id: onlyIpo([filed]).id,
    });
  });

  it('does not merge deals from two sources if they are years apart', () => {
    const other = history('finnhub', null, 'Calder Vale Inc', [
      10,
      { stage: 'priced', pricedDate: '2021-06-01', price: '9' },
    ]);
    expect(deriveIpos([filed, expected, other])).toHaveLength(2);
  });

  it('does not merge deals from two sources if one of the sources separates them', () => {
    const second = history('nasdaq', '99-2', 'Calder Vale Inc', [
      10,
      { stage: 'filed', filedDate: '2026-11-09' },
    ]);
    expect(deriveIpos([filed, second])).toHaveLength(2);
  });
});

describe('the offering type', () => {
  it.each([
    ['Merrow Acquisition Corp. II', 'MRRW', null, 'spac'],
    ['Merrow Horizons Ltd', 'MRRWU', '10', 'spac'],
    ['Merrow Horizons Ltd', 'MRRWU', '11', null],
    ['Merrow Horizons Ltd', 'MRRW', '10', null],
    ['Merrow Horizons Ltd ADS', 'MRRW', '18', 'adr'],
  ])('for %s (%s) at %s, derives the offering type %s', (name, symbol, price, offeringType) => {
    const fields = { stage: 'priced', symbol, price, pricedDate: '2026-11-20' };
    expect(onlyIpo([history('nasdaq', '99-3', name, [20, fields])]).offeringType).toBe(
      offeringType,
    );
  });
});

test('derives the same offerings regardless of the order of the histories', () => {
  const stages = ['filed', 'expected', 'postponed', 'priced', 'withdrawn'];
  const deal = fc.record({
    provider: fc.constantFrom('nasdaq', 'files', 'finnhub'),
    key: fc.constantFrom('99-1', '99-2', null),
    name: fc.constantFrom('Calder Vale', 'Harrow Gate', 'Calder Vale Inc'),
    stage: fc.constantFrom(...stages),
    symbol: fc.constantFrom('CLDV', 'HRRG', null),
    day: fc.integer({ min: 1, max: 28 }),
    pricedDate: fc.constantFrom('2026-11-20', '2024-01-05', null),
  });
  const world = fc.uniqueArray(deal, {
    selector: ({ provider, key, name, stage }) =>
      `${provider} ${key} ${foldCompanyName(name)} ${stage}`,
    maxLength: 7,
  });
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.nat()), (fields, order) => {
      const histories = fields.map(({ provider, key, name, day, ...fields }) =>
        history(provider, key, name, [day, fields]),
      );
      const shuffled = histories
        .map((item) => ({ item, by: order.next().value ?? 0 }))
        .toSorted((a, b) => a.by - b.by)
        .map(({ item }) => item);
      expect(deriveIpos(shuffled)).toEqual(deriveIpos(histories));
      const ids = deriveIpos(histories).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 1000 },
  );
});
