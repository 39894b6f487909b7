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

/** The values that a feed reported under the key at each instant. */
function history(
  feed: string,
  key: string,
  ...said: (readonly [at: string, fields: Said])[]
): ObservationHistory<DividendObservation> {
  const [provider = '', name = ''] = feed.split('/');
  const exDate = localDate(key.slice(3, 13));
  return {
    provider,
    feed: name,
    entityKey: 'NRTH',
    naturalKey: key,
    observations: said.map(([at, fields]) => ({
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

function only(histories: readonly ObservationHistory<DividendObservation>[]): Dividend {
  const { dividends } = derive(histories);
  const [first] = dividends;
  if (first === undefined || dividends.length > 1) throw new Error(`${dividends.length} dividends`);
  return first;
}

describe('an ordinary dividend whose dates are not in order', () => {
  it.each([
    [{ declarationDate: '2026-11-25' }, 'declared-after-ex-date'],
    [{ recordDate: '2026-11-23' }, 'recorded-before-ex-date'],
    [{ paymentDate: '2026-11-20' }, 'paid-before-ex-date'],
  ])('%j is held as %s and not served', (change, reason) => {
    const said = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [
      T1,
      { ...ORDINARY, ...change },
    ]);
    const { dividends, quarantined } = derive([said]);
    expect(dividends).toEqual([]);
    expect([...quarantined.values()].map((why) => why.reason)).toEqual([reason]);
  });

  it('leaves standing what was said in order before', () => {
    const said = history(
      'nasdaq/calendar-dividends',
      'ex:2026-11-24',
      [T1, ORDINARY],
      [T2, { ...ORDINARY, amount: '0.3', paymentDate: '2026-11-01' }],
    );
    const { dividends, quarantined } = derive([said]);
    expect(dividends.map(({ amount }) => amount)).toEqual(['0.25']);
    expect([...quarantined.keys()]).toEqual([said.observations[1]?.recordId]);
  });

  it('is not held for dates that are unknown or equal', () => {
    const said = { declarationDate: '2026-11-24', recordDate: '2026-11-24', paymentDate: null };
    expect(only([history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, said])]).flags).toEqual(
      [],
    );
  });

  it('is served and flagged when the company is from abroad', () => {
    const said = { ...ORDINARY, recordDate: '2026-11-20' };
    const { dividends, quarantined } = derive(
      [history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, said])],
      true,
    );
    expect(quarantined.size).toBe(0);
    expect(dividends.map(({ flags }) => flags)).toEqual([['foreign']]);
  });
});

test('a dividend that goes ex on the trading day after its payment has due bills: special, flagged', () => {
  // Paid on a Friday, ex on the following Monday.
  const said = { amount: '15', recordDate: '2026-11-13', paymentDate: '2026-11-20' };
  const dividend = only([
    history('nasdaq/quote-dividends', 'ex:2026-11-23', [T1, { ...said, type: 'cash' }]),
  ]);
  expect(dividend).toMatchObject({ type: 'special', flags: ['due-bill'], frequency: 'none' });
  expect(dividend.annualizedAmount).toBeNull();
});

describe('what is one dividend', () => {
  const before = history('nasdaq/calendar-dividends', 'ex:2026-11-23', [T1, ORDINARY]);
  const after = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T2, ORDINARY]);

  it('keeps its id when its ex-date is corrected, and the newer date holds', () => {
    expect(only([before, after])).toMatchObject({ id: only([before]).id, exDate: '2026-11-24' });
    expect(only([before, after]).updatedAt).toBe(Date.parse(T2));
  });

  it('is told by two feeds: type from one, year from the other', () => {
    const quote = history('nasdaq/quote-dividends', 'ex:2026-11-24', [
      T1,
      { amount: '0.25', type: 'cash', currency: 'USD' },
    ]);
    const calendar = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [
      T2,
      { ...ORDINARY, indicatedAnnualAmount: '1' },
    ]);
    expect(only([quote, calendar])).toMatchObject({
      type: 'cash',
      frequency: 'quarterly',
      annualizedAmount: '1',
      paymentDate: '2026-12-10',
    });
  });

  it.each(['0.25', '0.2541', '0.25000001'])('is told by two feeds: one rounds %s', (amount) => {
    const calendar = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, ORDINARY]);
    const rounded = history('yahoo/chart', 'ex:2026-11-24', [T1, { amount }]);
    expect(only([calendar, rounded])).toMatchObject({ amount: '0.25', recordDate: '2026-11-24' });
  });

  it('is not one of another amount, though the sources share the day', () => {
    const calendar = history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, ORDINARY]);
    const other = history('yahoo/chart', 'ex:2026-11-24', [T1, { amount: '0.26' }]);
    expect(derive([calendar, other]).dividends).toHaveLength(2);
  });

  it('is not that of a week later, nor a special one of the same day', () => {
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
    const told = history('nasdaq/quote-dividends', 'ex:2026-11-24#2', [
      T2,
      { ...ORDINARY, amount: '5', type: 'special' },
    ]);
    const rows = derive([regular, special, told]).dividends;
    expect(rows.map(({ amount, type }) => `${amount} ${type}`).toSorted()).toEqual([
      '0.25 cash',
      '5 special',
    ]);
  });

  it('is not another of the same amount some days later, where an answer lists both', () => {
    const [first, second] = ['ex:2026-12-28', 'ex:2026-12-31'].map((key) =>
      history('nasdaq/quote-dividends', key, [T2, { amount: '0.1' }]),
    );
    const other = history('yahoo/chart', 'ex:2026-12-28', [T1, { amount: '0.1' }]);
    const histories = [first, second, other].flatMap((one) => one ?? []);
    for (const told of [histories, histories.slice(0, 2)]) {
      expect(derive(told).dividends.map(({ exDate }) => exDate)).toEqual([
        '2026-12-28',
        '2026-12-31',
      ]);
    }
  });

  it('is what the operator says of it, whatever sources say later', () => {
    const own = history('files/dividends', 'ex:2026-11-24', [T1, { ...ORDINARY, amount: '0.26' }]);
    expect(only([own, after]).amount).toBe('0.26');
  });
});

describe('how often a company pays', () => {
  it.each([
    [['2026-02-20', '2026-05-20', '2026-08-20', '2026-11-20'], 'quarterly', '1'],
    [['2026-08-31', '2026-09-30', '2026-10-30', '2026-11-30'], 'monthly', '3'],
    [['2025-05-20', '2025-11-20', '2026-05-20', '2026-11-20'], 'semi-annual', '0.5'],
    [['2024-11-20', '2025-11-20', '2026-11-20'], 'annual', '0.25'],
    [['2025-11-20', '2026-01-05', '2026-11-20'], 'irregular', null],
    [['2026-08-20', '2026-11-20'], null, null],
  ])('is told by the ex-dates %j: %s', (exDates, frequency, annualizedAmount) => {
    const histories = exDates.map((date) =>
      history('nasdaq/quote-dividends', `ex:${date}`, [T1, { amount: '0.25' }]),
    );
    expect(derive(histories).dividends.at(-1)).toMatchObject({ frequency, annualizedAmount });
  });

  it.each([
    ['1', 'quarterly', '1'],
    ['3.1', 'monthly', '3'],
    ['13', 'weekly', '13'],
    ['0.25', 'annual', '0.25'],
    ['4.17', null, '4.17'],
  ])('or by a year of %s: %s', (indicatedAnnualAmount, frequency, annualizedAmount) => {
    const said = { ...ORDINARY, indicatedAnnualAmount };
    const dividend = only([history('nasdaq/calendar-dividends', 'ex:2026-11-24', [T1, said])]);
    expect(dividend).toMatchObject({ frequency, annualizedAmount });
  });
});

test('the order in which threads are given cannot matter', () => {
  const feeds = ['nasdaq/calendar-dividends', 'nasdaq/quote-dividends', 'files/dividends'];
  const one = fc.record({
    feed: fc.constantFrom(...feeds),
    day: fc.integer({ min: 10, max: 28 }),
    amount: fc.constantFrom('0.25', '0.3', null),
    at: fc.constantFrom(T1, T2),
    paymentDate: fc.constantFrom('2026-12-10', '2026-11-15', null),
  });
  const world = fc.uniqueArray(one, {
    selector: ({ feed, day }) => `${feed} ${day}`,
    maxLength: 7,
  });
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.nat()), (said, order) => {
      const histories = said.map(({ feed, day, at, ...fields }) =>
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
