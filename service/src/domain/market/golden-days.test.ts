import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addDays, localDate, type LocalDate, weekdayOf } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { formatClockTime } from './clock-time.ts';
import type { MarketDay } from './market-day.ts';

const calendar = marketCalendar();
const golden = new Map(
  readTable('days').map(([date, status, open, close, reason]) => [
    date,
    { status, open, close, reason },
  ]),
);
const FIRST = localDate('1970-01-01');
const LAST = localDate('2030-12-31');

test('returns the expected market day for all 22,280 days from 1970 to 2030', () => {
  const wrong: unknown[] = [];
  let compared = 0;
  for (let date = FIRST; date <= LAST; date = addDays(date, 1)) {
    const actual = show(calendar.day(date));
    const expected = expectedDay(date);
    if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push({ date, actual, expected });
    compared++;
  }
  expect(wrong).toEqual([]);
  expect(compared).toBe(22_280);
});

test('gives the expected reason for closed and early days, and no reason for similar days with full sessions', () => {
  for (const [date, row] of golden) {
    const reason = calendar.day(localDate(date ?? '')).reason;
    expect([date, reason]).toEqual([date, row.status === 'open' ? null : row.reason]);
  }
});

test('tests against a table with the right number of days of each kind in each year', () => {
  const years = readTable('years');
  expect(years).toHaveLength(61);
  for (const [year = '', open, early, closed] of years) {
    const counts = { open: 0, early: 0, closed: 0 };
    const first = localDate(`${year}-01-01`);
    for (let date = first; date.startsWith(year); date = addDays(date, 1)) {
      const status = expectedDay(date).status;
      if (status === 'open' || status === 'early' || status === 'closed') counts[status]++;
    }
    const expected = { open: Number(open), early: Number(early), closed: Number(closed) };
    expect([year, counts]).toEqual([year, expected]);
  }
});

test('tests against a table with more than a hundred full sessions that look like holidays', () => {
  const lookalikes = [...golden.values()].filter((row) => row.status === 'open');
  expect(lookalikes.length).toBeGreaterThan(100);
});

function show(day: MarketDay) {
  return {
    status: day.status,
    open: day.open === null ? '' : formatClockTime(day.open),
    close: day.close === null ? '' : formatClockTime(day.close),
  };
}

/** Returns the day from the table, or from a separate rule if the table doesn't list it. */
function expectedDay(date: LocalDate) {
  const row = golden.get(date);
  if (row !== undefined) return { status: row.status, open: row.open, close: row.close };
  const weekday = weekdayOf(date);
  if (weekday === 0 || weekday === 6) return { status: 'closed', open: '', close: '' };
  if (date < '1974-10-01') return { status: 'open', open: '10:00', close: '15:30' };
  if (date < '1985-09-30') return { status: 'open', open: '10:00', close: '16:00' };
  return { status: 'open', open: '09:30', close: '16:00' };
}

function readTable(name: string): string[][] {
  const url = new URL(`../../../../vectors/market-days/${name}.csv`, import.meta.url);
  const [, ...lines] = readFileSync(url, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(','));
}
