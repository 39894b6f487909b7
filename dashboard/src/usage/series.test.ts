import { expect, test } from 'vitest';
import { seriesOf, totalsOf } from './series.ts';

const T1 = Date.parse('2026-11-20T05:00:00Z');
const T2 = Date.parse('2026-11-21T05:00:00Z');

function row(at: number, name: string, requests: number) {
  return { at: new Date(at).toISOString(), name, requests };
}

test('returns a chart slot for every hour or day, even if it has no requests', () => {
  const { slots, total } = seriesOf([row(T2, '2xx', 3)], [T1, T2], String);
  expect(slots).toEqual([
    { at: T1, s0: 0 },
    { at: T2, s0: 3 },
  ]);
  expect(total).toBe(3);
});

test('sorts chart series by their total and groups small ones', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) =>
    row(T1, name, 8 - index),
  );
  const { series, slots } = seriesOf(rows, [T1], (name) => name.toUpperCase());
  expect(series.map(({ label, total }) => `${label} ${total}`)).toEqual([
    'A 8',
    'B 7',
    'C 6',
    'D 5',
    'E 4',
    '3 others 6',
  ]);
  expect(slots[0]).toMatchObject({ s0: 8, s5: 6 });
});

test('gives each status class a fixed color', () => {
  const { series } = seriesOf([row(T1, '5xx', 9), row(T1, '2xx', 1)], [T1], String);
  expect(series.map(({ color }) => color)).toEqual(['var(--chart-4)', 'var(--chart-1)']);
});

test('adds up requests by name', () => {
  expect(totalsOf([row(T1, 'a', 1), row(T2, 'b', 5), row(T2, 'a', 2)])).toEqual([
    { name: 'b', requests: 5 },
    { name: 'a', requests: 3 },
  ]);
});
