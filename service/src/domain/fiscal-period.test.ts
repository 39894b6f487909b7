import { describe, expect, it } from 'vitest';
import { periodLabel, yearEndMonth } from './fiscal-period.ts';
import { localDate } from './local-date.ts';

describe('periodLabel', () => {
  it.each([
    ['2025-12-31', 'day', '2025-12'],
    ['2026-01-03', 'day', '2025-12'],
    ['2025-12-27', 'day', '2025-12'],
    ['2026-02-01', 'day', '2026-01'],
    ['2026-02-07', 'day', '2026-01'],
    ['2026-02-08', 'day', '2026-02'],
    ['2024-05-31', 'month', '2024-05'],
    ['2024-02-29', 'month', '2024-02'],
  ] as const)(
    'labels a fiscal period that ends on %s (known to the %s) as %s',
    (end, precision, label) => {
      expect(periodLabel(localDate(end), precision)).toBe(label);
    },
  );

  it('gives a quarter the same label in every 52-week fiscal year although its end date varies', () => {
    const ends = ['2024-09-28', '2024-09-30', '2024-10-01', '2024-10-03'];
    expect(new Set(ends.map((end) => periodLabel(localDate(end), 'day')))).toEqual(
      new Set(['2024-09']),
    );
  });
});

describe('yearEndMonth', () => {
  it.each([
    ['12-31', 12],
    ['01-03', 12],
    ['09-27', 9],
    ['02-28', 2],
    ['02-29', 2],
    ['13-31', null],
    ['1231', null],
    ['', null],
  ])(
    'for a fiscal year that ends on %j, labels its last quarter with month %j',
    (yearEnd, month) => {
      expect(yearEndMonth(yearEnd)).toBe(month);
    },
  );
});
