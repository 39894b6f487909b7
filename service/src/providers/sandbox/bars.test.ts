import { expect, test } from 'vitest';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { Answer } from '../provider.ts';
import { bars } from './bars.ts';
import { createSandbox } from './index.ts';
import { quotes } from './quotes.ts';

const NOW = Date.parse('2026-11-20T22:30:00Z');
const HOUR_MS = 3_600_000;

function barsOf(answers: Iterable<Answer>) {
  return [...answers]
    .filter((answer) => bars.claims(answer))
    .flatMap((answer) => bars.parse(answer).bars?.rows ?? []);
}

const sandbox = createSandbox({ companies: 40 });
const first = [...(sandbox.answers?.(null, NOW) ?? [])];

test('every session of the last months has a sound bar of every company', () => {
  const rows = barsOf(first);
  const dates = new Set(rows.map(({ date }) => date));
  expect(rows).toHaveLength(dates.size * 40);
  const { isTradingDay } = marketCalendar();
  expect([...dates].every((date) => date !== null && isTradingDay(date))).toBe(true);
  const isSound = rows.every(
    ({ open, high, low, close }) =>
      Number(low) <= Math.min(Number(open), Number(close)) &&
      Number(high) >= Math.max(Number(open), Number(close)),
  );
  expect(isSound).toBe(true);
});

test('the newest closes are the prices that the quotes tell', () => {
  const closes = new Map(
    barsOf(first).flatMap(({ symbol, date, close }) =>
      date === '2026-11-20' ? [[symbol, close] as const] : [],
    ),
  );
  const told = first
    .filter((answer) => quotes.claims(answer))
    .flatMap((answer) => quotes.parse(answer).rows.flatMap(({ quote }) => quote ?? []));
  expect(told).toHaveLength(40);
  expect(told.map(({ symbol }) => [symbol, closes.get(symbol)])).toEqual(
    told.map(({ symbol, price }) => [symbol, price]),
  );
});

test('later answers bring the sessions that ended since, once', () => {
  const from = NOW - 3 * HOUR_MS;
  const later = barsOf(sandbox.answers?.(from, NOW) ?? []);
  expect(new Set(later.map(({ date }) => date))).toEqual(new Set(['2026-11-20']));
  expect(barsOf(sandbox.answers?.(NOW, NOW + HOUR_MS) ?? [])).toEqual([]);
});
