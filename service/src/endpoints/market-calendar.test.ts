import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { addDays, daysBetween, localDate } from '../domain/local-date.ts';
import type { Queryable, Row } from '../storage/db.ts';
import { endpoint } from './market-calendar.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T17:00:00Z');
const CHANGED_AT = Date.parse('2026-11-18T08:00:00Z');

test('lists every calendar day in the range exactly once and in order, including both ends', async () => {
  const { body } = await response('2024-02-27', '2026-03-02');
  expect(check.Check(body)).toBe(true);
  const dates = body.map((day) => String(day['date']));
  expect(dates[0]).toBe('2024-02-27');
  expect(dates.at(-1)).toBe('2026-03-02');
  expect(dates).toHaveLength(daysBetween(localDate('2024-02-27'), localDate('2026-03-02')) + 1);
  expect(dates).toEqual(dates.map((_, i) => addDays(localDate('2024-02-27'), i)));
});

test('accepts a market calendar range of one day', async () => {
  expect((await response('2026-11-20', '2026-11-20')).body).toEqual([
    {
      date: '2026-11-20',
      isTradingDay: true,
      status: 'open',
      open: '09:30',
      close: '16:00',
      openAt: '2026-11-20T14:30:00Z',
      closeAt: '2026-11-20T21:00:00Z',
      preMarketOpen: '04:00',
      afterHoursClose: '20:00',
      reason: null,
      basis: 'published',
    },
  ]);
});

const CLOSED = {
  isTradingDay: false,
  status: 'closed',
  open: null,
  close: null,
  openAt: null,
  closeAt: null,
  preMarketOpen: null,
  afterHoursClose: null,
};

test.each([
  ['a weekend', '2026-11-21', { ...CLOSED, reason: 'Weekend' }],
  ['a holiday', '2026-11-26', { ...CLOSED, reason: 'Thanksgiving Day' }],
  ['a special closure', '2012-10-29', { ...CLOSED, basis: 'published' }],
  [
    'an early close',
    '2026-11-27',
    { isTradingDay: true, status: 'early-close', close: '13:00', afterHoursClose: '17:00' },
  ],
  ['summer time', '2026-07-06', { open: '09:30', openAt: '2026-07-06T13:30:00Z' }],
  ['the shorter hours of 1974', '1974-09-30', { open: '10:00', close: '15:30' }],
  ['an unpublished year', '2031-03-03', { basis: 'projected', status: 'open' }],
])('returns the market hours for %s', async (_, day, expected) => {
  expect((await response(day, day)).body[0]).toMatchObject(expected);
});

test('shows a closure set by an operator in the calendar, with the time of that change as asOf', async () => {
  const row: Row = {
    market_date: '2026-11-18',
    kind: 'closed',
    open_minute: null,
    close_minute: null,
    reason: 'Blizzard',
  };
  const { body, asOf } = await response('2026-11-17', '2026-11-18', [row]);
  expect(body.map((day) => day['reason'])).toEqual([null, 'Blizzard']);
  expect(asOf).toBe(CHANGED_AT);
});

test.each([
  ['2026-11-20', '2026-11-20', null],
  ['2020-01-01', '2030-02-16', null],
  ['2020-01-01', '2030-02-17', 'to'],
  ['2026-11-20', '2026-11-19', 'to'],
])('checks the range %s to %s and reports the invalid parameter %s', (from, to, parameter) => {
  const fault = endpoint.check?.(parameterValues({ from, to }), NOW) ?? null;
  expect(fault?.parameter ?? null).toBe(parameter);
});

test('has a market calendar example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

async function response(from: string, to: string, rows: readonly Row[] = []) {
  const context = { db: storeOf(rows), now: NOW, historyFrom: null };
  const result = await endpoint.handle(parameterValues({ from, to }), context);
  if (result.kind !== 'body') throw new Error(`unexpected response: ${result.kind}`);
  return { body: result.body as Row[], asOf: result.asOf };
}

function storeOf(rows: readonly Row[]): Queryable {
  const newest = [{ changed_at: rows.length > 0 ? CHANGED_AT : null }];
  return {
    query: <T extends Row>(sql: string) =>
      Promise.resolve((sql.includes('max(') ? newest : rows) as T[]),
  };
}
