import { expect, test } from 'vitest';
import { addMonths, nextWeekday, readMonth, spanOf } from './month.ts';

test('shows a month as whole weeks from Monday to Sunday', () => {
  expect(spanOf('2026-11')).toEqual({ from: '2026-10-26', to: '2026-12-06' });
  expect(spanOf('2027-02')).toEqual({ from: '2027-02-01', to: '2027-02-28' });
});

test('adds months across year boundaries', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01');
  expect(addMonths('2027-01', -1)).toBe('2026-12');
});

test('rejects invalid months', () => {
  expect(['2026-13', '2026-1', '', 202611, null].map(readMonth)).toEqual(Array(5).fill(null));
  expect(readMonth('2026-07')).toBe('2026-07');
});

test('suggests the following Monday for a date on a weekend', () => {
  expect(nextWeekday('2026-11-21')).toBe('2026-11-23');
  expect(nextWeekday('2026-11-22')).toBe('2026-11-23');
  expect(nextWeekday('2026-11-24')).toBe('2026-11-24');
});
