import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { SourceResponse } from '../provider.ts';
import { bars } from './bars.ts';
import { createSandbox } from './index.ts';
import { quotes } from './quotes.ts';

const NOW = Date.parse('2026-11-20T22:30:00Z');
const HOUR_MS = 3_600_000;

function barsOf(responses: Iterable<SourceResponse>) {
  return [...responses]
    .filter((response) => bars.claims(response))
    .flatMap((response) => bars.parse(response).bars?.rows ?? []);
}

const sandbox = createSandbox({ companies: 40 });
const initial = [...(sandbox.generateResponses?.(null, NOW) ?? [])];

test('generates a valid bar for every company and session in recent months', () => {
  const rows = barsOf(initial);
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

test('generates latest closing prices that equal the quoted prices', () => {
  const closes = new Map(
    barsOf(initial).flatMap(({ symbol, date, close }) =>
      date === '2026-11-20' ? [[symbol, close] as const] : [],
    ),
  );
  const quoteTicks = initial
    .filter((response) => quotes.claims(response))
    .flatMap((response) => quotes.parse(response).rows.flatMap(({ quote }) => quote ?? []));
  expect(quoteTicks).toHaveLength(40);
  expect(quoteTicks.map(({ symbol }) => [symbol, closes.get(symbol)])).toEqual(
    quoteTicks.map(({ symbol, price }) => [symbol, price]),
  );
});

test('adds bars for each newly ended session to later responses, exactly once', () => {
  const from = NOW - 3 * HOUR_MS;
  const laterBars = barsOf(sandbox.generateResponses?.(from, NOW) ?? []);
  expect(new Set(laterBars.map(({ date }) => date))).toEqual(new Set(['2026-11-20']));
  expect(barsOf(sandbox.generateResponses?.(NOW, NOW + HOUR_MS) ?? [])).toEqual([]);
});

test('generates years of earlier bars without a gap, a repeat or a jump', () => {
  const years = createSandbox({ companies: 40, years: 2 });
  const responses = [...(years.generateResponses?.(null, NOW) ?? [])];
  expect(responses.slice(0, initial.length).map(({ text }) => text)).toEqual(
    initial.map(({ text }) => text),
  );
  const olderBars = barsOf(responses.slice(initial.length));
  const allBars = [...olderBars, ...barsOf(initial)];
  const keys = new Set(allBars.map(({ symbol, date }) => `${symbol} ${date}`));
  expect(keys.size).toBe(allBars.length);
  const sessions = marketCalendar().tradingDays(localDate('2024-11-20'), localDate('2026-11-20'));
  expect(keys.size).toBe(sessions.length * 40);
  expect(new Set(allBars.map(({ date }) => date))).toEqual(new Set(sessions));
  const barsOfSymbol = allBars
    .filter(({ symbol }) => symbol === allBars[0]?.symbol)
    .toSorted((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));
  const moves = barsOfSymbol
    .slice(1)
    .map(({ close }, at) => Number(close) / Number(barsOfSymbol[at]?.close) - 1);
  expect(Math.max(...moves.map(Math.abs))).toBeLessThan(0.35);
});
