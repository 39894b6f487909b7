import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { valuesOf } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import type { Ipo } from '../datasets/ipos/row.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import { ipoVersions } from '../datasets/ipos/store.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './calendar-ipo.ts';

const check = Compile(endpoint.response);
const SEEN_AT = Date.parse('2026-11-01T12:00:00Z');
/** This instant is still on November 20 in New York. */
const NOW = Date.parse('2026-11-21T04:30:00Z');
let db: Db;

type Row = Record<string, unknown> & { companyName: string };

function ipoOf(companyName: string, date: string | null, changes: Partial<Ipo> = {}): Ipo {
  return {
    id: `ipo_${companyName}`,
    subject: companyName.toLowerCase(),
    symbol: null,
    companyName,
    exchange: null,
    mic: null,
    date: date === null ? null : localDate(date),
    dateStatus: date === null ? 'unknown' : 'expected',
    status: 'expected',
    offeringType: null,
    priceLow: null,
    priceHigh: null,
    price: null,
    shares: null,
    dealSize: null,
    currency: 'USD',
    filedDate: null,
    pricedDate: null,
    withdrawnDate: null,
    underwriters: [],
    lockupExpiration: null,
    cik: null,
    filingUrl: null,
    provenance: {},
    updatedAt: SEEN_AT,
    ...changes,
  };
}

beforeAll(async () => {
  db = await memoryStore();
  const filed = (day: string) => ({ status: 'filed' as const, filedDate: localDate(day) });
  const ipos = [
    ipoOf('Second', '2026-12-01', { symbol: 'ZZZZ', priceLow: '14.5', priceHigh: '16' }),
    ipoOf('First', '2026-12-01', { symbol: 'AAAA', shares: '9000000', underwriters: ['Bank'] }),
    ipoOf('Nameless', '2026-12-01'),
    ipoOf('Filed', null, { ...filed('2026-10-01'), symbol: 'FLED', updatedAt: SEEN_AT + 60_000 }),
    ipoOf('Filed Long Ago', null, filed('2025-11-19')),
    ipoOf('Put Off', null, { status: 'postponed' }),
    ipoOf('Late', '2026-11-01'),
    ipoOf('Given Up', '2026-10-01'),
    ipoOf('Priced Today', '2026-11-20', { status: 'priced', symbol: 'PRCD', price: '15' }),
    ipoOf('Trading', '2026-11-19', { status: 'priced', symbol: 'TRDG', price: '15' }),
    ipoOf('Withdrawn', null, { status: 'withdrawn', withdrawnDate: localDate('2026-10-15') }),
  ];
  await db.transaction(async (tx) => {
    await takeVersionInstant(tx, SEEN_AT);
    await ipoVersions.insert(tx, ipos, SEEN_AT);
  });
});

afterAll(() => db.close());

test('lists upcoming IPO deals by date, symbol and name, with unknown values last', async () => {
  const { body, asOf } = await answerAt(NOW);
  expect(check.Check(body)).toBe(true);
  expect(body.map(({ companyName }) => companyName)).toEqual([
    'Late',
    'Priced Today',
    'First',
    'Second',
    'Nameless',
    'Filed',
    'Put Off',
  ]);
  expect(asOf).toBe(SEEN_AT + 60_000);
});

test('returns IPO figures as numbers, and null or an empty list for unknown values', async () => {
  const { body } = await answerAt(NOW);
  expect(body[3]).toMatchObject({ priceLow: 14.5, priceHigh: 16, price: null, shares: null });
  expect(body[2]).toMatchObject({ shares: 9_000_000, underwriters: ['Bank'], cik: null });
  expect(body[4]).toMatchObject({ symbol: null, underwriters: [], dateStatus: 'expected' });
});

test('lists all IPO deals in a range by their pricing, withdrawal or filing date', async () => {
  const range = { from: '2026-10-01', to: '2026-11-19' };
  expect(await namesOf(range)).toEqual(['Given Up', 'Late', 'Trading', 'Filed', 'Withdrawn']);
  expect(await namesOf({ ...range, symbols: ['FLED', 'TRDG'] })).toEqual(['Trading', 'Filed']);
  expect(await namesOf({ symbols: ['ZZZZ'] })).toEqual(['Second']);
});

test('lists the IPO deals that were upcoming at a past instant', async () => {
  expect(await namesOf({ asOf: SEEN_AT })).toContain('Trading');
  const before = await endpoint.handle(parameterValues({ asOf: SEEN_AT - 1 }), { db, now: NOW });
  expect(before).toEqual({ kind: 'not-known-yet', firstAt: SEEN_AT });
});

test('removes a priced IPO deal on the New York day after its pricing date', async () => {
  const midnight = Date.parse('2026-11-21T05:00:00Z');
  expect(endpoint.validUntil?.(valuesOf({}), NOW)).toBe(midnight);
  const { body } = await answerAt(midnight);
  expect(body.map(({ companyName }) => companyName)).not.toContain('Priced Today');
  expect(endpoint.maxAgeSeconds(valuesOf({}), NOW)).toBe(900);
});

async function answerAt(now: number): Promise<{ body: Row[]; asOf: number | null }> {
  const response = await endpoint.handle(valuesOf({}), { db, now });
  if (response.kind !== 'body') throw new Error(response.kind);
  return { body: response.body as Row[], asOf: response.asOf };
}

async function namesOf(parameters: Parameters<typeof parameterValues>[0]): Promise<string[]> {
  const response = await endpoint.handle(parameterValues(parameters), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  return (response.body as Row[]).map(({ companyName }) => companyName);
}
