import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { barOf, market, ingestFileBars } from '../../test/support/stored-bars.ts';
import { eventOf, securityOf, storeRows, valuesOf } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { addDays, daysBetween, localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './earnings-movers.ts';
import type { Values } from './endpoint.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-21T15:00:00Z');
const DAY = localDate('2026-11-19');
const SYMBOLS = ['RISE', 'FALL', 'EDGE', 'CALM', 'HALT', 'DARK', 'HUSH', 'COME', 'NEXT', 'LATE'];
/** Closes on `DAY`. All earlier closes are 100. */
const CLOSES: Record<string, string> = { RISE: '112', FALL: '88.5', EDGE: '105', CALM: '104.99' };
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const reported = { dateStatus: 'reported' as const, eps: '1.32', date: DAY };
  await storeRows(db, {
    securities: SYMBOLS.map((symbol) => securityOf(symbol)),
    events: [
      eventOf('RISE', reported),
      eventOf('FALL', { ...reported, date: localDate('2026-11-18'), time: 'time-after-hours' }),
      eventOf('EDGE', reported),
      eventOf('CALM', reported),
      // This company reported earlier, but did not trade again until `DAY`.
      eventOf('HALT', { ...reported, date: localDate('2026-11-16') }),
      eventOf('DARK', { ...reported, date: localDate('2026-11-18'), time: 'time-not-supplied' }),
      // The session of this report is unknown and no source has its results.
      eventOf('HUSH', { date: localDate('2026-11-18'), time: 'time-not-supplied' }),
      eventOf('COME', { date: localDate('2026-11-20') }),
      // For the session on November 23, the first company released results on the previous Friday
      // evening. The second company reports that day and has no results yet.
      eventOf('NEXT', { ...reported, date: localDate('2026-11-20'), time: 'time-after-hours' }),
      eventOf('LATE', { date: localDate('2026-11-23') }),
    ],
    marketCaps: { RISE: '5000000000' },
  });
  const sessions = market.tradingDays(localDate('2026-10-12'), localDate('2026-11-20'));
  const bars = sessions.flatMap((date) =>
    SYMBOLS.filter((symbol) => symbol !== 'HALT' || date < '2026-11-16' || date >= DAY).map(
      (symbol) => barOf(symbol, date, date < DAY ? '100' : (CLOSES[symbol] ?? '120')),
    ),
  );
  await ingestFileBars(db, bars);
});

afterAll(() => db.close());

test('lists companies that moved by at least 5 % in their first session after results, largest move first', async () => {
  const body = await bodyOf({});
  expect(body).toMatchObject({ date: DAY, isTradingDay: true, final: true, threshold: 5 });
  expect(body).toMatchObject({ totalReported: 7, unknownSession: 2, withoutPrices: 0 });
  expect(body.data.map(({ symbol, priceChange }) => [symbol, priceChange])).toEqual([
    ['HALT', 20],
    ['RISE', 12],
    ['FALL', -11.5],
    ['EDGE', 5],
  ]);
  expect(body.data[1]).toMatchObject({
    basePrice: 100,
    baseDate: '2026-11-18',
    reportDate: DAY,
    close: 112,
    volumeRatio: 1,
    reactionBasis: 'session',
    gapChange: null,
    epsSurprisePercent: 10,
    marketCap: 5e9,
  });
});

test.each([
  [{ choice: 'up' }, ['HALT', 'RISE', 'EDGE']],
  [{ choice: 'down' }, ['FALL']],
  [{ decimal: '110' }, ['HALT', 'RISE']],
  [{ integer: 1_000_001 }, []],
])('filters earnings movers by %j', async (filter, symbols) => {
  expect((await bodyOf(filter)).data.map(({ symbol }) => symbol)).toEqual(symbols);
});

test('does not mark a future session as final, and returns no movers for a weekend', async () => {
  expect(await bodyOf({ date: '2026-11-24' })).toMatchObject({
    final: false,
    totalReported: 0,
    data: [],
    asOf: null,
  });
  expect(await bodyOf({ date: '2026-11-14' })).toMatchObject({ isTradingDay: false, data: [] });
});

test('before the close, counts companies with results but measures no moves', async () => {
  expect(await bodyOf({ date: '2026-11-23' })).toMatchObject({
    final: false,
    totalReported: 1,
    unknownSession: 0,
    withoutPrices: 1,
    data: [],
    asOf: expect.any(String) as string,
  });
});

test('marks movers as final and cacheable once the next session can no longer change them', async () => {
  expect(await isFinal(DAY)).toEqual([true, 86_400]);
  expect(await isFinal('2026-11-20')).toEqual([true, 86_400]);
  // The session for this report on the last day cannot be inferred before the next session.
  const unknown = { date: localDate('2026-11-20'), time: 'time-not-supplied' as const };
  const event = eventOf('CALM', { ...unknown, dateStatus: 'reported' as const });
  await storeRows(db, { events: [event] });
  expect(await isFinal('2026-11-20')).toEqual([false, undefined]);
  expect(await isFinal(DAY)).toEqual([true, 86_400]);
  await db.query('delete from earnings_event where id = $1', [event.id]);
});

test('counts companies under withoutPrices and does not mark a day without any prices as final', async () => {
  // The stored bars begin on October 12, after this day.
  expect(await bodyOf({ date: '2026-10-09' })).toMatchObject({ final: true, totalReported: 0 });
  const reported = { dateStatus: 'reported' as const, date: localDate('2026-10-09') };
  const events = [eventOf('CALM', reported), eventOf('EDGE', reported)];
  await storeRows(db, { events });
  expect(await bodyOf({ date: '2026-10-09' })).toMatchObject({
    final: false,
    totalReported: 2,
    unknownSession: 0,
    withoutPrices: 2,
    data: [],
  });
  expect((await isFinal('2026-10-09'))[1]).toBeUndefined();
  await db.query(`delete from earnings_event where date = '2026-10-09'`);
});

test('marks a day as final even if a single company has no prices', async () => {
  await storeRows(db, {
    securities: [securityOf('BARE')],
    events: [eventOf('BARE', { dateStatus: 'reported', date: DAY })],
  });
  expect(await bodyOf({})).toMatchObject({ final: true, totalReported: 8, withoutPrices: 1 });
  await db.query(`delete from earnings_event where symbol = 'BARE'`);
});

test('applies a split to earnings movers from the first minute of the day on which it takes effect', async () => {
  await db.query(
    `insert into share_split values ('RISE', '2026-11-23', 'files', 'splits', 10, 1, now())`,
  );
  const eve = Date.parse('2026-11-23T04:59:59Z');
  const midnight = Date.parse('2026-11-23T05:00:00Z');
  expect((await bodyOf({}, eve)).data[1]).toMatchObject({ basePrice: 100, close: 112 });
  expect((await bodyOf({}, midnight)).data[1]).toMatchObject({ basePrice: 10, close: 11.2 });
  expect(endpoint.validUntil?.(valuesWith({}), eve)).toBe(midnight);
  await db.query('delete from share_split');
});

test('invalidates cached earnings movers when the bars, the reports or the market calendar change', () => {
  expect(endpoint.topics(valuesWith({}), NOW)).toEqual(
    expect.arrayContaining(['bars', 'quotes', `earnings:date:${DAY}`, 'earnings:date:2026-11-18']),
  );
});

test.each(['2001-09-17', '2026-01-07', '2026-07-06', '2027-01-11', '2026-11-19'])(
  'on %s, invalidates cached movers when reports change on any day on which a trading halt may have started',
  (date) => {
    const first = market.addTradingDays(localDate(date), -11);
    const topics = endpoint.topics(valuesWith({ date }), NOW);
    const days = daysBetween(first, localDate(date)) + 1;
    const needed = Array.from({ length: days }, (_, i) => `earnings:date:${addDays(first, i)}`);
    expect(topics).toEqual(expect.arrayContaining(needed));
  },
);

test('has an earnings movers example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

test('at a past instant, uses the sessions that had closed, and no market capitalization', async () => {
  const closedAt = Date.parse(`${DAY}T21:00:00Z`);
  const at = async (asOf: number): Promise<Body & { final: boolean; asOf: string }> => {
    const response = await endpoint.handle(parameterValues({ date: DAY, asOf }), { db, now: NOW });
    if (response.kind !== 'body') throw new Error(response.kind);
    expect(check.Check(response.body)).toBe(true);
    return response.body as Body & { final: boolean; asOf: string };
  };
  const open = await at(closedAt - 1);
  expect(open).toMatchObject({ final: false, data: [], asOf: '2026-11-18T21:00:00Z' });
  const closed = await at(closedAt);
  expect(closed.asOf).toBe('2026-11-19T21:00:00Z');
  const current = await bodyOf({});
  expect(closed.data).toEqual(current.data.map((row) => ({ ...row, marketCap: null })));
});

interface Given {
  date?: string;
  choice?: string;
  decimal?: string;
  integer?: number;
}

function valuesWith({ date = DAY, choice, decimal, integer }: Given): Values {
  return {
    ...valuesOf({ date }),
    choice: () => choice ?? null,
    decimal: () => decimal ?? null,
    integer: () => integer ?? null,
  };
}

async function isFinal(date: string): Promise<[boolean, number | undefined]> {
  const response = await endpoint.handle(valuesWith({ date }), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  return [(response.body as { final: boolean }).final, response.maxAgeSeconds];
}

interface Body {
  data: { symbol: string; priceChange: number }[];
}

async function bodyOf(parameters: Given, now = NOW): Promise<Body> {
  const response = await endpoint.handle(valuesWith(parameters), { db, now });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  return response.body as Body;
}
