import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barOf, market, ingestListedBars, ingestFileBars } from '../../test/support/stored-bars.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { eventOf, securityOf, storeRows, valuesOf } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './earnings-reactions.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-21T15:00:00Z');
const DAY = localDate('2026-11-12');
/** First session after the split, with prices at a tenth of the previous level. */
const SPLIT_DAY = '2026-11-16';
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const reported = { dateStatus: 'reported' as const, eps: '1.32', date: DAY };
  await storeRows(db, {
    securities: [securityOf('MERD'), securityOf('QUIE')],
    events: [
      eventOf('MERD', { ...reported, revenue: '110', revenueEstimate: '100' }),
      eventOf('MERD', {
        ...reported,
        date: localDate('2025-11-12'),
        fiscalYear: 2025,
        eps: '1',
        revenue: '88',
      }),
      eventOf('MERD', { date: localDate('2027-02-12'), fiscalQuarter: 4 }),
    ],
  });
  const sessions = market.tradingDays(localDate('2026-10-05'), localDate('2026-11-20'));
  await ingestFileBars(
    db,
    sessions.map((date) => {
      const price = date < DAY ? 100 : 110;
      const isNew = date >= SPLIT_DAY;
      const volume = (date === DAY ? 30_000 : 10_000) * (isNew ? 10 : 1);
      return barOf('MERD', date, String(isNew ? price / 10 : price), { open: '105', volume });
    }),
  );
  await db.query(`insert into share_split values ('MERD', $1, 'files', 'splits', 10, 1, now())`, [
    SPLIT_DAY,
  ]);
});

afterAll(() => db.close());

test('returns the result, the base price and each session after the news, adjusted to the same share basis', async () => {
  const [event] = await bodyOf('MERD');
  expect(event).toMatchObject({
    date: DAY,
    symbol: 'MERD',
    reactionBasis: 'session',
    priceAdjustment: 'split',
    eps: {
      actual: 1.32,
      estimate: 1.2,
      surprisePercent: 10,
      yoy: 32,
      beat: true,
      outcome: 'beat',
    },
    revenue: {
      actual: 110,
      estimate: 100,
      surprise: 10,
      yoy: 25,
    },
    baseDate: '2026-11-11',
    basePrice: 10,
    averageVolume: 1e5,
  });
  expect(event?.reactions).toHaveLength(7);
  expect(event?.reactions[0]).toMatchObject({
    day: 1,
    date: DAY,
    close: 11,
    volume: 3e5,
    volumeRatio: 3,
    priceChange: 10,
    gapChange: 5,
    cumulativeChange: 10,
  });
  expect(event?.reactions[2]).toMatchObject({ date: SPLIT_DAY, priceChange: 0, gapChange: null });
});

test('does not compare a result with a year-ago result in a different currency', async () => {
  const day = localDate('2024-11-12');
  const fields = { fiscalYear: 2024, date: day, eps: '1', revenue: '88', currency: 'CAD' };
  const prior = eventOf('MERD', { dateStatus: 'reported', ...fields });
  await storeRows(db, { events: [prior] });
  expect((await bodyOf('MERD'))[1]).toMatchObject({
    date: '2025-11-12',
    eps: {
      actual: 1,
      yoy: null,
    },
    revenue: {
      actual: 88,
      yoy: null,
    },
  });
  await db.query('delete from earnings_event where id = $1', [prior.id]);
});

test('returns no reactions if there are no bars around the report, and omits future events', async () => {
  const events = await bodyOf('MERD');
  expect(events.map(({ date }) => date)).toEqual([DAY, '2025-11-12']);
  expect(events[1]).toMatchObject({ baseDate: null, basePrice: null, reactions: [] });
});

test('omits reactions to a report without results, even after its session is over', async () => {
  const day = localDate('2026-11-18');
  const confirmed = eventOf('MERD', { date: day, dateStatus: 'confirmed', fiscalQuarter: 4 });
  await storeRows(db, { events: [confirmed] });
  expect((await bodyOf('MERD')).map(({ date }) => date)).toEqual([DAY, '2025-11-12']);
  await db.query('delete from earnings_event where id = $1', [confirmed.id]);
});

test('returns reactions to no more reports than the limit', async () => {
  expect(await bodyOf('MERD', 1)).toHaveLength(1);
});

test('returns no reactions for a symbol without reports and an error for an unknown symbol', async () => {
  expect(await bodyOf('QUIE')).toEqual([]);
  const response = await endpoint.handle(valuesOf({ symbol: 'NONE' }), { db, now: NOW });
  expect(response.kind).toBe('unknown-symbol');
});

test('does not adjust prices for a split if the source has already adjusted them', async () => {
  const days = market.tradingDays(localDate('2026-10-05'), localDate('2026-11-20'));
  const rows = days.map((date) => barOf('QUIE', date, '10'));
  await db.query(`insert into share_split values ('QUIE', $1, 'files', 'splits', 10, 1, now())`, [
    SPLIT_DAY,
  ]);
  const source = { feed: 'nasdaq/historical', at: Date.parse('2026-11-21T12:00:00Z') };
  await ingestListedBars(db, { list: null, isAdjusted: true, rows }, source);
  await storeRows(db, {
    events: [eventOf('QUIE', { date: DAY, dateStatus: 'reported', eps: '1' })],
  });
  const [event] = await bodyOf('QUIE');
  expect(event?.basePrice).toBe(10);
  expect(event?.reactions.map(({ priceChange }) => priceChange)).toEqual(
    event?.reactions.map(() => 0),
  );
});

test('applies a split to reactions from the first minute of the day on which it takes effect', async () => {
  await db.query(
    `insert into share_split values ('MERD', '2026-11-23', 'files', 'splits', 2, 1, now())`,
  );
  const eve = Date.parse('2026-11-23T04:59:59Z');
  const midnight = Date.parse('2026-11-23T05:00:00Z');
  expect((await bodyOf('MERD', 12, eve))[0]?.basePrice).toBe(10);
  expect((await bodyOf('MERD', 12, midnight))[0]?.basePrice).toBe(5);
  expect(endpoint.validUntil?.(valuesOf({ symbol: 'MERD' }), eve)).toBe(midnight);
});

test('has a reactions example that matches the schema, and topics for events and bars', () => {
  expect(check.Check(endpoint.example)).toBe(true);
  expect(endpoint.topics(valuesOf({ symbol: 'MERD' }), NOW)).toEqual(
    expect.arrayContaining(['earnings:symbol:MERD', 'security:MERD', 'bars']),
  );
});

interface EventBody {
  date: string;
  basePrice: number | null;
  reactions: { priceChange: number }[];
}

test('at a past instant, uses the sessions that had closed, on the share basis of that day', async () => {
  const closedAt = (date: string): number => Date.parse(`${date}T21:00:00Z`);
  const reactionAt = async (asOf: number): Promise<unknown> => {
    const response = await endpoint.handle(parameterValues({ symbol: 'MERD', asOf }), {
      db,
      now: NOW,
    });
    if (response.kind !== 'body') throw new Error(response.kind);
    expect(check.Check(response.body)).toBe(true);
    const [event] = response.body as { basePrice: number; reactions: { date: string }[] }[];
    return { basePrice: event?.basePrice, days: event?.reactions.map(({ date }) => date) };
  };
  expect(await reactionAt(closedAt(DAY) - 1)).toMatchObject({ days: [] });
  expect(await reactionAt(closedAt(DAY))).toEqual({ basePrice: 100, days: [DAY] });
  expect(await reactionAt(closedAt(SPLIT_DAY) - 1)).toMatchObject({ days: [DAY, '2026-11-13'] });
  const days = [DAY, '2026-11-13', SPLIT_DAY];
  expect(await reactionAt(closedAt(SPLIT_DAY))).toEqual({ basePrice: 10, days });
});

async function bodyOf(symbol: string, limit = 12, now = NOW): Promise<EventBody[]> {
  const values = { ...valuesOf({ symbol }), integer: () => limit };
  const response = await endpoint.handle(values, { db, now });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  return response.body as EventBody[];
}
