import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import type { MarketHoliday } from '../domain/market/market-holidays.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';
import type { Values } from './endpoint.ts';
import { endpoint } from './market-holidays.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T17:00:00Z');
const CHANGED_AT = Date.parse('2026-11-18T08:00:00Z');

test('lists holidays from the previous year to two years ahead', async () => {
  const { body } = await answerAt(NOW);
  expect(check.Check(body)).toBe(true);
  expect(body[0]).toMatchObject({ date: '2025-01-01', name: "New Year's Day" });
  expect(body.at(-1)).toMatchObject({ date: '2028-12-25', name: 'Christmas Day' });
  expect(body.map((holiday) => holiday.date)).toEqual(
    body.map((holiday) => holiday.date).toSorted(),
  );
});

test('lists holidays around the current year in New York, and is valid until that year ends there', async () => {
  const newYear = Date.parse('2027-01-01T05:00:00Z');
  expect((await answerAt(newYear - 1)).body[0]?.date).toBe('2025-01-01');
  expect((await answerAt(newYear)).body[0]?.date).toBe('2026-01-01');
  expect(endpoint.validUntil?.(values, newYear - 1)).toBe(newYear);
  expect(endpoint.validUntil?.(values, newYear)).toBe(Date.parse('2028-01-01T05:00:00Z'));
});

test('marks holidays as projected if the exchange has not published them for that year', async () => {
  const { body } = await answerAt(Date.parse('2027-06-01T12:00:00Z'));
  const bases = body.map((holiday) => `${holiday.date.slice(0, 4)} ${holiday.basis}`);
  expect([...new Set(bases)]).toEqual([
    '2026 published',
    '2027 published',
    '2028 published',
    '2029 projected',
  ]);
});

test('shows a closure set by an operator in the holidays, with the time of that change as asOf', async () => {
  const row: Row = {
    market_date: '2026-11-18',
    kind: 'closed',
    open_minute: null,
    close_minute: null,
    reason: 'Blizzard',
  };
  const { body, asOf } = await answerAt(NOW, [row]);
  expect(check.Check(body)).toBe(true);
  expect(body.find((holiday) => holiday.date === '2026-11-18')).toMatchObject({
    name: 'Blizzard',
    kind: 'special',
  });
  expect(asOf).toBe(CHANGED_AT);
});

test('has a holidays example that matches the schema, and is cacheable for a day', () => {
  expect(check.Check(endpoint.example)).toBe(true);
  expect(endpoint.maxAgeSeconds(values, NOW)).toBe(86_400);
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
  throw new Error('market holidays take no parameters');
}

async function answerAt(now: Instant, rows: readonly Row[] = []) {
  const response = await endpoint.handle(values, { db: storeOf(rows), now });
  if (response.kind !== 'body') throw new Error(`unexpected response: ${response.kind}`);
  return { body: response.body as MarketHoliday[], asOf: response.asOf };
}

function storeOf(rows: readonly Row[]): Queryable {
  const newest = [{ changed_at: rows.length > 0 ? CHANGED_AT : null }];
  return {
    query: <T extends Row>(sql: string) =>
      Promise.resolve((sql.includes('max(') ? newest : rows) as T[]),
  };
}
