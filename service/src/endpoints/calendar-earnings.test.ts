import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { eventOf, SEEN_AT, storeRows, valuesOf } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './calendar-earnings.ts';
import type { EarningsRow } from './rows/earnings-row.ts';

interface Body {
  date: string;
  isTradingDay: boolean;
  asOf: string | null;
  pre: EarningsRow[];
  after: EarningsRow[];
  notSupplied: EarningsRow[];
}

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T15:00:00Z');
const FRIDAY = { from: '2026-11-20', to: '2026-11-20' };
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await storeRows(db, {
    events: [
      eventOf('SMLL'),
      eventOf('BIGG', { updatedAt: SEEN_AT + 60_000 }),
      eventOf('NONE'),
      eventOf('AAAA'),
      eventOf('LATE', { time: 'time-after-hours' }),
      eventOf('NOON', { time: 'time-during-market', eps: '1.25', dateStatus: 'reported' }),
      eventOf('WHEN', { time: 'time-not-supplied', epsEstimate: null, estimateCount: null }),
      eventOf('NEXT', { date: localDate('2026-11-23') }),
    ],
    marketCaps: { SMLL: '1000000', BIGG: '9000000000', AAAA: '1000000', NOON: '5' },
  });
});

afterAll(() => db.close());

test('groups earnings reports by session, and lists reports during trading hours under notSupplied', async () => {
  const body = await bodyOf('2026-11-20');
  expect(check.Check(body)).toBe(true);
  expect(body.after.map((row) => row.symbol)).toEqual(['LATE']);
  expect(body.notSupplied.map((row) => [row.symbol, row.time])).toEqual([
    ['NOON', 'time-during-market'],
    ['WHEN', 'time-not-supplied'],
  ]);
});

test('sorts earnings reports by market capitalization with unknown values last, then by symbol', async () => {
  const { pre } = await bodyOf('2026-11-20');
  expect(pre.map((row) => row.symbol)).toEqual(['BIGG', 'AAAA', 'SMLL', 'NONE']);
  expect(pre.map((row) => row.marketCap)).toEqual([9_000_000_000, 1_000_000, 1_000_000, null]);
});

test('returns null for unknown earnings fields, never an empty string or zero', async () => {
  const { notSupplied } = await bodyOf('2026-11-20');
  expect(notSupplied.find((row) => row.symbol === 'WHEN')).toMatchObject({
    epsEstimate: null,
    eps: null,
    revenueEstimate: null,
    estimateCount: null,
    reportedAt: null,
    marketCap: null,
  });
});

test('returns the time of the newest observation for the day as asOf', async () => {
  expect((await bodyOf('2026-11-20')).asOf).toBe('2026-11-01T12:01:00Z');
});

test('returns empty groups for a weekend day and marks it as a non-trading day', async () => {
  expect(await bodyOf('2026-11-21')).toEqual({
    date: '2026-11-21',
    isTradingDay: false,
    asOf: null,
    pre: [],
    after: [],
    notSupplied: [],
  });
});

test.each([
  ['2026-11-20', 60],
  ['2026-11-21', 60],
  ['2026-11-22', 900],
  ['2026-11-13', 900],
  ['2026-11-12', 86_400],
])('on November 20, allows caching of the earnings for %s for %i seconds', (date, seconds) => {
  expect(endpoint.maxAgeSeconds(valuesOf({ date }), NOW)).toBe(seconds);
});

test('returns each day of a range in ascending order and in the same format as a single day', async () => {
  const days = await daysOf({ from: '2026-11-20', to: '2026-11-23' });
  expect(days.map(({ date, isTradingDay }) => [date, isTradingDay])).toEqual([
    ['2026-11-20', true],
    ['2026-11-21', false],
    ['2026-11-22', false],
    ['2026-11-23', true],
  ]);
  expect(days[0]).toEqual(await bodyOf('2026-11-20'));
  expect(days[3]).toEqual(await bodyOf('2026-11-23'));
});

test('counts reports in pages of a range, and continues a day on the next page', async () => {
  const range = { from: '2026-11-19', to: '2026-11-23' };
  const first = await pageOf({ ...range, limit: 5 });
  expect(symbolsOf(first.body)).toEqual([
    ['2026-11-19', []],
    ['2026-11-20', ['BIGG', 'AAAA', 'NONE', 'LATE', 'NOON']],
  ]);
  expect([first.part?.rows.length, first.part?.count]).toEqual([8, 5]);
  const second = await pageOf({ ...range, limit: 5 }, first.part?.rows[4]?.id);
  expect(symbolsOf(second.body)).toEqual([
    ['2026-11-20', ['SMLL', 'WHEN']],
    ['2026-11-21', []],
    ['2026-11-22', []],
    ['2026-11-23', ['NEXT']],
  ]);
  expect(second.body[0]?.asOf).toBe(first.body[1]?.asOf);
  expect((await pageOf(range)).part).toMatchObject({ start: 0, count: 8 });
});

test('filters the earnings calendar by symbols and ignores unknown symbols', async () => {
  const [day] = await daysOf({ ...FRIDAY, symbols: ['BIGG', 'NONESUCH', 'WHEN'] });
  expect(day?.pre.map(({ symbol }) => symbol)).toEqual(['BIGG']);
  expect(day?.after).toEqual([]);
  expect(day?.notSupplied.map(({ symbol }) => symbol)).toEqual(['WHEN']);
  expect(day?.asOf).toBe('2026-11-01T12:01:00Z');
});

test('omits market capitalizations for a past instant and sorts by symbol instead', async () => {
  const [day] = await daysOf({ ...FRIDAY, asOf: SEEN_AT });
  expect(day?.pre.map(({ symbol }) => symbol)).toEqual(['AAAA', 'BIGG', 'NONE', 'SMLL']);
  expect(day?.pre.map(({ marketCap }) => marketCap)).toEqual([null, null, null, null]);
  const before = parameterValues({ ...FRIDAY, asOf: SEEN_AT - 1 });
  expect(await endpoint.handle(before, { db, now: NOW })).toEqual({
    kind: 'not-known-yet',
    firstAt: SEEN_AT,
  });
});

test('invalidates the cached earnings calendar if any day in its range changes', () => {
  const topics = endpoint.topics(parameterValues({ from: '2026-11-20', to: '2026-11-21' }), NOW);
  expect(topics).toEqual([
    'earnings:date:2026-11-20',
    'earnings:date:2026-11-21',
    'bars',
    'quotes',
    'shares',
    'market-overrides',
  ]);
});

test("checks the first requested day of the earnings calendar against the plan's history", () => {
  expect(endpoint.firstDay?.(parameterValues({ date: '2026-11-20' }))).toBe('2026-11-20');
  const range = parameterValues({ from: '2024-01-01', to: '2024-02-01' });
  expect(endpoint.firstDay?.(range)).toBe('2024-01-01');
});

test('has an earnings calendar example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

async function bodyOf(date: string): Promise<Body> {
  const response = await endpoint.handle(valuesOf({ date }), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  return response.body as Body;
}

async function daysOf(parameters: Parameters<typeof parameterValues>[0]): Promise<Body[]> {
  const response = await endpoint.handle(parameterValues(parameters), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  return response.body as Body[];
}

async function pageOf(parameters: Parameters<typeof parameterValues>[0], after?: string) {
  const findStart = (rows: readonly { id: string }[]) =>
    after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  const response = await endpoint.handle(parameterValues(parameters), { db, now: NOW, findStart });
  if (response.kind !== 'body') throw new Error('no body');
  return { body: response.body as Body[], part: response.part };
}

function symbolsOf(days: readonly Body[]): unknown[] {
  return days.map(({ date, pre, after, notSupplied }) => [
    date,
    [...pre, ...after, ...notSupplied].map(({ symbol }) => symbol),
  ]);
}
