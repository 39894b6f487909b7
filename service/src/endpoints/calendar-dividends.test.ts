import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { securityOf, storeRows, valuesOf } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import type { Dividend } from '../datasets/dividends/row.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import { dividendVersions } from '../datasets/dividends/store.ts';
import { recordQuotes } from '../datasets/quotes/store.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './calendar-dividends.ts';

const check = Compile(endpoint.response);
const SEEN_AT = Date.parse('2026-11-01T12:00:00Z');
/** This instant is still on November 20 in New York. */
const NOW = Date.parse('2026-11-21T04:30:00Z');
let db: Db;

type Row = Record<string, unknown> & { symbol: string; exDate: string };

function dividendOf(symbol: string, exDate: string, changes: Partial<Dividend> = {}): Dividend {
  return {
    id: `div_${symbol}_${exDate}_${changes.type ?? 'cash'}`,
    securityId: `sec_${symbol}`,
    symbol,
    name: `${symbol} Inc.`,
    exDate: localDate(exDate),
    recordDate: localDate(exDate),
    paymentDate: null,
    declarationDate: null,
    amount: '0.25',
    splitAdjustedAmount: '0.25',
    currency: 'USD',
    type: 'cash',
    frequency: 'quarterly',
    annualizedAmount: '1',
    status: 'declared',
    flags: [],
    provenance: {},
    updatedAt: SEEN_AT,
    ...changes,
  };
}

beforeAll(async () => {
  db = await memoryStore();
  const dividends = [
    dividendOf('TOOO', '2026-11-19'),
    dividendOf('TODY', '2026-11-20'),
    dividendOf('BBBB', '2026-12-01', {
      type: 'special',
      flags: ['due-bill'],
      annualizedAmount: null,
    }),
    dividendOf('BBBB', '2026-12-01', { updatedAt: SEEN_AT + 60_000 }),
    dividendOf('AAAA', '2026-12-01', { amount: null, splitAdjustedAmount: null, name: null }),
    dividendOf('EURO', '2026-12-02', { currency: 'EUR', flags: ['foreign'] }),
    dividendOf('LAST', '2027-02-18'),
    dividendOf('FARR', '2027-02-19'),
    dividendOf('GONE', '2026-12-03'),
  ];
  await db.transaction(async (tx) => {
    await takeVersionInstant(tx, SEEN_AT);
    await dividendVersions.insert(tx, dividends, SEEN_AT);
    await dividendVersions.close(tx, ['div_GONE_2026-12-03_cash'], SEEN_AT + 1);
    const prices = { TOOO: '30', TODY: '30', EURO: '30', BBBB: '40' };
    const priceDate = localDate('2026-11-19');
    const quotes = Object.entries(prices).map(([symbol, price]) => ({ symbol, price, priceDate }));
    await recordQuotes(tx, quotes, SEEN_AT);
  });
});

afterAll(() => db.close());

test('lists dividends with an ex-date within 90 days of today in New York, sorted by ex-date, symbol and type', async () => {
  const { body } = await answerAt(NOW);
  expect(check.Check(body)).toBe(true);
  expect(body.map(({ symbol, exDate, type }) => `${exDate} ${symbol} ${String(type)}`)).toEqual([
    '2026-11-20 TODY cash',
    '2026-12-01 AAAA cash',
    '2026-12-01 BBBB cash',
    '2026-12-01 BBBB special',
    '2026-12-02 EURO cash',
    '2027-02-18 LAST cash',
  ]);
});

test('computes the dividend yield from the last close, and returns null without a close or for a foreign currency', async () => {
  const { body } = await answerAt(NOW);
  const yields = Object.fromEntries(
    body.map((row) => [`${row.symbol} ${String(row['type'])}`, row['yield']]),
  );
  expect(yields).toEqual({
    'TODY cash': 3.3333,
    'AAAA cash': null,
    'BBBB cash': 2.5,
    'BBBB special': null,
    'EURO cash': null,
    'LAST cash': null,
  });
});

test('returns a null yield for a dividend whose ex-date has passed', async () => {
  const parameters = { from: '2026-11-19', to: '2026-11-20' };
  const yields = async (now: number) => (await rowsOf(parameters, now)).map((row) => row['yield']);
  expect(await yields(NOW)).toEqual([null, 3.3333]);
  expect(await yields(Date.parse('2026-11-21T15:00:00Z'))).toEqual([null, null]);
});

test('returns null for unknown dividend fields and flags dates that are in an unusual order', async () => {
  const { body, asOf } = await answerAt(NOW);
  expect(body[1]).toMatchObject({ name: null, amount: null, splitAdjustedAmount: null, flags: [] });
  expect(body[3]).toMatchObject({ type: 'special', flags: ['due-bill'] });
  expect(asOf).toBe(SEEN_AT + 60_000);
});

test('expires the dividend calendar at midnight in New York, when its contents change', async () => {
  const midnight = Date.parse('2026-11-21T05:00:00Z');
  expect(endpoint.validUntil?.(valuesOf({}), NOW)).toBe(midnight);
  expect((await answerAt(midnight)).body[0]?.symbol).toBe('AAAA');
  expect(endpoint.maxAgeSeconds(valuesOf({}), NOW)).toBe(900);
});

test('lists the dividends with an ex-date in the requested range, filtered by symbols', async () => {
  const range = { from: '2026-11-19', to: '2026-12-01' };
  const rows = await rowsOf(range);
  expect(rows.map(({ symbol }) => symbol)).toEqual(['TOOO', 'TODY', 'AAAA', 'BBBB', 'BBBB']);
  const some = await rowsOf({ ...range, symbols: ['AAAA', 'NONE', 'TOOO'] });
  expect(some.map(({ symbol }) => symbol)).toEqual(['TOOO', 'AAAA']);
  expect(await rowsOf({ symbols: ['NONE'] })).toEqual([]);
});

test('for a past instant, lists dividends from that day, based on the facts known at that instant and without yields', async () => {
  const rows = await rowsOf({ asOf: SEEN_AT });
  const symbols = rows.map(({ symbol }) => symbol);
  expect(symbols).toEqual(['TOOO', 'TODY', 'AAAA', 'BBBB', 'BBBB', 'EURO', 'GONE']);
  expect(rows.map((row) => row['yield'])).toEqual(rows.map(() => null));
  const before = await endpoint.handle(parameterValues({ asOf: SEEN_AT - 1 }), { db, now: NOW });
  expect(before).toEqual({ kind: 'not-known-yet', firstAt: SEEN_AT });
});

test('adjusts past dividends for a split once the split is known', async () => {
  const securities = ['TOOO', 'TODY'].map((symbol) => securityOf(symbol));
  await storeRows(db, { securities });
  const range = { from: '2026-11-19', to: '2026-11-20' };
  const LATER = Date.parse('2026-11-25T15:00:00Z');
  const symbolsAndAmounts = async () =>
    (await rowsOf(range, LATER)).map((row) => [row['amount'], row['splitAdjustedAmount']]);
  expect(await symbolsAndAmounts()).toEqual([
    [0.25, 0.25],
    [0.25, 0.25],
  ]);
  // A 3-for-2 split on November 20, which is the ex-date of the second dividend, and a future
  // 1-for-10 split.
  await db.query(
    `insert into share_split (symbol, date, provider, feed, numerator, denominator, seen_at)
     select symbol, date::date, 'files', 'splits', n, d, now()
       from (values ('TOOO', '2026-11-20', 3, 2), ('TODY', '2026-11-20', 3, 2),
                    ('TOOO', '2026-11-26', 1, 10)) as s(symbol, date, n, d)`,
  );
  expect(await symbolsAndAmounts()).toEqual([
    [0.25, 0.166667],
    [0.25, 0.25],
  ]);
  const [past] = await rowsOf({ ...range, asOf: LATER - 1 }, LATER);
  expect(past).toMatchObject({ amount: 0.25, splitAdjustedAmount: null });
  const ahead = await rowsOf({ ...range, asOf: NOW - 1 }, LATER);
  expect(ahead.map((row) => row['splitAdjustedAmount'])).toEqual([null, 0.25]);
  await db.query('delete from share_split');
});

test('returns an empty list if there are no upcoming dividends', async () => {
  expect(await answerAt(Date.parse('2030-01-01T12:00:00Z'))).toMatchObject({
    body: [],
    asOf: null,
  });
});

async function answerAt(now: number): Promise<{ body: Row[]; asOf: number | null }> {
  const response = await endpoint.handle(valuesOf({}), { db, now });
  if (response.kind !== 'body') throw new Error(response.kind);
  return { body: response.body as Row[], asOf: response.asOf };
}

async function rowsOf(
  parameters: Parameters<typeof parameterValues>[0],
  now = NOW,
): Promise<Row[]> {
  const response = await endpoint.handle(parameterValues(parameters), { db, now });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  return response.body as Row[];
}
