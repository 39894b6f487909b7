import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { clockTime } from '../domain/market/clock-time.ts';
import type { MarketStatus } from '../domain/market/market-status.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';
import type { Values } from './endpoint.ts';
import { endpoint } from './market-status.ts';

const check = Compile(endpoint.response);
const MID_SESSION = Date.parse('2026-11-20T17:00:00Z');

test('returns a market status that matches its schema every half hour during a month with holidays', async () => {
  for (
    let at = Date.parse('2026-11-10T00:00:00Z');
    at < Date.parse('2026-12-10');
    at += 1_800_000
  ) {
    const status = await answerAt(at);
    expect([status.timestamp, check.Check(status)]).toEqual([status.timestamp, true]);
  }
});

test('lists every market status field in the schema in response order, and has a valid example', () => {
  expect(check.Check(endpoint.example)).toBe(true);
  const { properties } = JSON.parse(JSON.stringify(endpoint.response)) as { properties: object };
  expect(Object.keys(properties)).toEqual(Object.keys(endpoint.example as object));
});

test('shows a closure set by an operator in the market status immediately', async () => {
  const status = await answerAt(MID_SESSION, [override('closed', null)]);
  expect(status).toMatchObject({
    isTodayOpen: false,
    currentMarketStatus: 'closed',
    closedReason: 'special-closure',
    holiday: 'Blizzard',
    nextOpen: '2026-11-23T09:30:00-05:00',
  });
});

test('expires the market status no later than the next session change, whether scheduled or set by an operator', async () => {
  const rows = [override('early-close', clockTime('14:07'))];
  const start = Date.parse('2026-11-20T18:00:00Z');
  for (let at = start; at < start + 3_600_000 * 12; at += 7_001) {
    const status = await answerAt(at, rows);
    const until = endpoint.validUntil?.(values, at) ?? Infinity;
    expect(until).toBeGreaterThan(at);
    expect(until).toBeLessThanOrEqual(Date.parse(status.nextStatusAt));
    const last = await answerAt(until - 1, rows);
    expect({ ...last, timestamp: '' }).toEqual({ ...status, timestamp: '' });
  }
});

test('allows clients to cache the market status for 30 seconds, or less just before a change', async () => {
  expect(await maxAgeAt(MID_SESSION)).toBe(30);
  const close = Date.parse('2026-11-20T21:00:00Z');
  expect(await maxAgeAt(close - 30_000)).toBe(30);
  expect(await maxAgeAt(close - 12_500)).toBe(12);
  expect(await maxAgeAt(close - 1)).toBe(0);
  expect(await maxAgeAt(close)).toBe(30);
});

test('does not allow caching of the market status beyond a change set by an operator', async () => {
  const rows = [override('early-close', clockTime('14:00'))];
  const close = Date.parse('2026-11-20T19:00:00Z');
  expect(await maxAgeAt(close - 5_000, rows)).toBe(5);
  expect(await maxAgeAt(close, rows)).toBe(30);
  const usual = Date.parse('2026-11-20T21:00:00Z');
  expect(await maxAgeAt(usual - 5_000, rows)).toBe(30);
});

const values: Values = {
  date: unexpected,
  symbol: unexpected,
  flag: unexpected,
  maybeFlag: unexpected,
  text: unexpected,
  choice: unexpected,
  integer: unexpected,
  decimal: unexpected,
  maybeDate: unexpected,
  symbols: unexpected,
  instant: unexpected,
  id: unexpected,
};

function unexpected(): never {
  throw new Error('market status takes no parameters');
}

async function answerAt(now: Instant, rows: readonly Row[] = []): Promise<MarketStatus> {
  return (await wholeAnswerAt(now, rows)).body as MarketStatus;
}

async function maxAgeAt(now: Instant, rows: readonly Row[] = []): Promise<number> {
  const { maxAgeSeconds } = await wholeAnswerAt(now, rows);
  return maxAgeSeconds ?? endpoint.maxAgeSeconds(values, now);
}

async function wholeAnswerAt(now: Instant, rows: readonly Row[]) {
  const response = await endpoint.handle(values, { db: storeOf(rows), now });
  if (response.kind !== 'body') throw new Error(`unexpected response: ${response.kind}`);
  return response;
}

function override(kind: string, closeMinute: number | null): Row {
  return {
    market_date: '2026-11-20',
    kind,
    open_minute: null,
    close_minute: closeMinute,
    reason: 'Blizzard',
  };
}

function storeOf(rows: readonly Row[]): Queryable {
  return {
    query: <T extends Row>(sql: string) =>
      Promise.resolve((sql.includes('max(') ? [{ changed_at: null }] : rows) as T[]),
  };
}
