import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { deriveDividends } from './derive.ts';
import type { DividendObservation } from './observation.ts';
import type { Dividend } from './row.ts';

const market = marketCalendar();
let lastRecordId = 0;

type Said = Partial<Record<keyof DividendObservation, string | null>>;

/** Builds a history of the values that a feed reported under the key at each instant. */
function history(
  feed: string,
  key: string,
  ...fields: (readonly [at: string, fields: Said])[]
): ObservationHistory<DividendObservation> {
  const [provider = '', name = ''] = feed.split('/');
  const exDate = localDate(key.slice(3, 13));
  return {
    provider,
    feed: name,
    entityKey: 'NRTH',
    naturalKey: key,
    observations: fields.map(([at, fields]) => ({
      at: Date.parse(at),
      recordId: ++lastRecordId,
      fields: { symbol: 'NRTH', exDate, ...fields } as DividendObservation,
    })),
  };
}

const ORDINARY: Said = {
  amount: '0.25',
  declarationDate: '2026-10-29',
  recordDate: '2026-11-24',
  paymentDate: '2026-12-10',
};
const T1 = '2026-11-01T00:00:00Z';
const T2 = '2026-11-02T00:00:00Z';

function derive(histories: readonly ObservationHistory<DividendObservation>[], isForeign = false) {
  const security = { securityId: 'sec_northgate', symbol: 'NRTH', securityName: 'Northgate' };
  return deriveDividends({ ...security, isForeign, histories, withdrawals: new Map(), market });
}

function onlyDividend(histories: readonly ObservationHistory<DividendObservation>[]): Dividend {
  const { dividends } = derive(histories);
  const [first] = dividends;
  if (first === undefined || dividends.length > 1) throw new Error(`${dividends.length} dividends`);
  return first;
}

describe('an ordinary dividend with dates out of order', () => {
  it.each([
    [{ declarationDate: '2026-11-25' }, 'declared-after-ex-date'],
    [{ recordDate: '2026-11-23' }, 'recorded-before-ex-date'],
    [{ paymentDate: '2026-11-20' }, 'paid-before-ex-date'],
  ])('quarantines a dividend with the dates %j as %s and does not publish it', (change, reason) => {
    const fields = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [
      T1,
      { ...ORDINARY, ...change },
    ]);
    const { dividends, quarantined } = derive([fields]);
    expect(dividends).toEqual([]);
    expect([...quarantined.values()].map((reasons) => reasons.reason)).toEqual([reason]);
  });

  it('keeps a dividend’s earlier valid values when newer dates are out of order', () => {
    const fields = history(
      'nasdaq/calendar-dividends',
      'ex:2026-11-24',
      [T1, ORDINARY],
      [T2, { ...ORDINARY, amount: '0.3', paymentDate: '2026-11-01' }],
    );
    const { dividends, quarantined } = derive([fields]);
    expect(dividends.map(({ amount }) => amount)).toEqual(['0.25']);
    expect([...quarantined.keys()]).toEqual([fields.observations[1]?.recordId]);
  });

  it('does not quarantine a dividend for unknown or equal dates', () => {
    const fields = { declarationDate: '2026-11-24', recordDate: '2026-11-24', paymentDate: null };
    expect(
      onlyDividend([history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, fields])]).flags,
    ).toEqual([]);
  });

  it('publishes a foreign company’s dividend with dates out of order, and flags it', () => {
    const fields = { ...ORDINARY, recordDate: '2026-11-20' };
    const { dividends, quarantined } = derive(
      [history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, fields])],
      true,
    );
    expect(quarantined.size).toBe(0);
    expect(dividends.map(({ flags }) => flags)).toEqual([['foreign']]);
  });
});

test('marks a dividend that goes ex on the trading day after its payment as special, with due bills', () => {
  // Paid on a Friday; goes ex on the following Monday.
  const fields = { amount: '15', recordDate: '2026-11-13', paymentDate: '2026-11-20' };
  const dividend = onlyDividend([
    history('nasdaq/quote-dividends', 'ex:2026-11-23', [T1, { ...fields, type: 'cash' }]),
  ]);
  expect(dividend).toMatchObject({ type: 'special', flags: ['due-bill'], frequency: 'none' });
  expect(dividend.annualizedAmount).toBeNull();
});

describe('one dividend', () => {
  const before = history('nasdaq/calendar-dividends', 'ex:2026-11-23', [T1, ORDINARY]);
  const after = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T2, ORDINARY]);

  it('keeps a dividend’s id when its ex-date is corrected, and uses the newer date', () => {
    expect(onlyDividend([before, after])).toMatchObject({
      id: onlyDividend([before]).id,
      exDate: '2026-11-24',
    });
    expect(onlyDividend([before, after]).updatedAt).toBe(Date.parse(T2));
  });

  it('takes a dividend’s type from one feed and its annual amount from another', () => {
    const quote = history('nasdaq/quote-dividends', 'ex:2026-11-24', [
      T1,
      { amount: '0.25', type: 'cash', currency: 'USD' },
    ]);
    const calendar = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [
      T2,
      { ...ORDINARY, indicatedAnnualAmount: '1' },
    ]);
    expect(onlyDividend([quote, calendar])).toMatchObject({
      type: 'cash',
      frequency: 'quarterly',
      annualizedAmount: '1',
      paymentDate: '2026-12-10',
    });
  });

  it.each(['0.25', '0.2541', '0.25000001'])(
    "combines two feeds' values into one dividend if one feed rounds %s",
    (amount) => {
      const calendar = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, ORDINARY]);
      const rounded = history('yahoo/chart', 'ex:2026-11-24', [T1, { amount }]);
      expect(onlyDividend([calendar, rounded])).toMatchObject({
        amount: '0.25',
        recordDate: '2026-11-24',
      });
    },
  );

  it('does not combine observations with different amounts, even if their ex-dates are equal', () => {
    const calendar = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, ORDINARY]);
    const other = history('yahoo/chart', 'ex:2026-11-24', [T1, { amount: '0.26' }]);
    expect(derive([calendar, other]).dividends).toHaveLength(2);
  });

  it('does not combine a dividend with one a week later or with a special dividend on the same day', () => {
    const weekly = ['ex:2026-11-06', 'ex:2026-11-13', 'ex:2026-11-20'].map((key) =>
      history('nasdaq/quote-dividends', key, [T1, { amount: '0.1' }]),
    );
    expect(derive(weekly).dividends.map(({ frequency }) => frequency)).toEqual([
      'weekly',
      'weekly',
      'weekly',
    ]);
    const regular = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, ORDINARY]);
    const special = history('nasdaq/calendar-dividends', 'ex:2026-11-24#2', [
      T1,
      { ...ORDINARY, amount: '5' },
    ]);
    const feeds = history('nasdaq/quote-dividends', 'ex:2026-11-24#2', [
      T2,
      { ...ORDINARY, amount: '5', type: 'special' },
    ]);
    const rows = derive([regular, special, feeds]).dividends;
    expect(rows.map(({ amount, type }) => `${amount} ${type}`).toSorted()).toEqual([
      '0.25 cash',
      '5 special',
    ]);
  });

  it('does not combine dividends of the same amount a few days apart if one response lists both', () => {
    const [first, second] = ['ex:2026-12-28', 'ex:2026-12-31'].map((key) =>
      history('nasdaq/quote-dividends', key, [T2, { amount: '0.1' }]),
    );
    const other = history('yahoo/chart', 'ex:2026-12-28', [T1, { amount: '0.1' }]);
    const histories = [first, second, other].flatMap((row) => row ?? []);
    for (const feeds of [histories, histories.slice(0, 2)]) {
      expect(derive(feeds).dividends.map(({ exDate }) => exDate)).toEqual([
        '2026-12-28',
        '2026-12-31',
      ]);
    }
  });

  it("prefers the operator's file, even if sources report different values later", () => {
    const file = history('files/dividends', 'ex:2026-11-24', [T1, { ...ORDINARY, amount: '0.26' }]);
    expect(onlyDividend([file, after]).amount).toBe('0.26');
  });
});

describe('the payment frequency', () => {
  it.each([
    [['2026-02-20', '2026-05-20', '2026-08-20', '2026-11-20'], 'quarterly', '1'],
    [['2026-08-31', '2026-09-30', '2026-10-30', '2026-11-30'], 'monthly', '3'],
    [['2025-05-20', '2025-11-20', '2026-05-20', '2026-11-20'], 'semi-annual', '0.5'],
    [['2024-11-20', '2025-11-20', '2026-11-20'], 'annual', '0.25'],
    [['2025-11-20', '2026-01-05', '2026-11-20'], 'irregular', null],
    [['2026-08-20', '2026-11-20'], null, null],
  ])(
    'derives the payment frequency from the ex-dates %j: %s',
    (exDates, frequency, annualizedAmount) => {
      const histories = exDates.map((date) =>
        history('nasdaq/quote-dividends', `ex:${date}`, [T1, { amount: '0.25' }]),
      );
      expect(derive(histories).dividends.at(-1)).toMatchObject({ frequency, annualizedAmount });
    },
  );

  it.each([
    ['1', 'quarterly', '1'],
    ['3.1', 'monthly', '3'],
    ['13', 'weekly', '13'],
    ['0.25', 'annual', '0.25'],
    ['4.17', null, '4.17'],
  ])(
    'derives the payment frequency from an annual amount of %s: %s',
    (indicatedAnnualAmount, frequency, annualizedAmount) => {
      const fields = { ...ORDINARY, indicatedAnnualAmount };
      const dividend = onlyDividend([
        history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, fields]),
      ]);
      expect(dividend).toMatchObject({ frequency, annualizedAmount });
    },
  );
});

test('derives the same dividends regardless of the order of the histories', () => {
  const feeds = ['nasdaq/calendar-dividends', 'nasdaq/quote-dividends', 'files/dividends'];
  const row = fc.record({
    feed: fc.constantFrom(...feeds),
    day: fc.integer({ min: 10, max: 28 }),
    amount: fc.constantFrom('0.25', '0.3', null),
    at: fc.constantFrom(T1, T2),
    paymentDate: fc.constantFrom('2026-12-10', '2026-11-15', null),
  });
  const world = fc.uniqueArray(row, {
    selector: ({ feed, day }) => `${feed} ${day}`,
    maxLength: 7,
  });
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.nat()), (fields, order) => {
      const histories = fields.map(({ feed, day, at, ...fields }) =>
        history(feed, `ex:2026-11-${day}`, [at, fields]),
      );
      const shuffled = histories
        .map((item) => ({ item, by: order.next().value ?? 0 }))
        .toSorted((a, b) => a.by - b.by)
        .map(({ item }) => item);
      expect(derive(shuffled)).toEqual(derive(histories));
      const ids = derive(histories).dividends.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 1000 },
  );
});
