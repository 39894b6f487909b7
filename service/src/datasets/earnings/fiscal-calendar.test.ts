import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  fiscalLabelsOf,
  monthEndOf,
  fiscalCalendarOf,
  quarterBefore,
  alignLabel,
  quarterEndEstimator,
  yearBefore,
} from './fiscal-calendar.ts';

describe('the fiscal calendar of a company', () => {
  test.each([
    ['12-31', 2, 12],
    ['09-26', 2, 9],
    ['01-31', 0, 1],
    // A fiscal year that ends on the Sunday closest to the end of January is labeled as ending in
    // January.
    ['02-01', 0, 1],
    ['01-03', 2, 12],
    ['02-29', 1, 2],
    ['08-31', 1, 8],
  ])('derives the fiscal calendar from a year end on %s', (yearEnd, phase, yearEndMonth) => {
    expect(fiscalCalendarOf(yearEnd, [])).toEqual({ phase, yearEndMonth });
  });

  test('without a year end, chooses the fiscal calendar that fits the most periods, and prefers exact end dates to month labels', () => {
    const month = (end: string) => ({ end: localDate(end), precision: 'month' as const });
    const day = (end: string) => ({ end: localDate(end), precision: 'day' as const });
    expect(
      fiscalCalendarOf(null, [month('2026-01-31'), month('2026-04-30'), month('2025-12-31')]),
    ).toEqual({
      phase: 0,
      yearEndMonth: null,
    });
    expect(
      fiscalCalendarOf(null, [month('2026-01-31'), month('2026-04-30'), day('2025-12-27')]).phase,
    ).toBe(2);
    expect(fiscalCalendarOf(null, []).phase).toBeNull();
  });
});

test.each([
  ['2026-01', '2026-01'],
  ['2025-12', '2026-01'],
  ['2026-02', '2026-01'],
  ['2026-03', '2026-04'],
])('for a company with a January year end, aligns the quarter label %s to %s', (label, snapped) => {
  expect(alignLabel(label, fiscalCalendarOf('01-31', []))).toBe(snapped);
});

test('leaves a quarter label unchanged if the fiscal calendar is unknown', () => {
  expect(alignLabel('2026-02', fiscalCalendarOf(null, []))).toBe('2026-02');
});

test.each([
  ['12-31', '2025-12', 2025, 4],
  ['12-31', '2026-03', 2026, 1],
  ['09-26', '2025-12', 2026, 1],
  ['09-26', '2026-09', 2026, 4],
  ['01-31', '2026-01', 2026, 4],
  ['01-31', '2026-04', 2027, 1],
])(
  'with a year end on %s, labels the quarter that ends in %s as %d-Q%d',
  (yearEnd, label, year, quarter) => {
    expect(fiscalLabelsOf(label, fiscalCalendarOf(yearEnd, []))).toEqual({
      fiscalYear: year,
      fiscalQuarter: quarter,
    });
  },
);

test('returns no fiscal year and quarter for an unaligned label or without a year end', () => {
  expect(fiscalLabelsOf('2026-01', fiscalCalendarOf('12-31', []))).toBeNull();
  expect(fiscalLabelsOf('2026-01', fiscalCalendarOf(null, []))).toBeNull();
});

test.each([
  ['2026-02-10', '12-31', '2025-12'],
  ['2026-03-31', '12-31', '2025-12'],
  ['2026-04-01', '12-31', '2026-03'],
  ['2026-02-25', '01-31', '2026-01'],
])('assigns a report on %s, for a year end on %s, to the quarter %s', (date, yearEnd, label) => {
  expect(quarterBefore(localDate(date), fiscalCalendarOf(yearEnd, []))).toBe(label);
});

test('uses known ends of twelve-week quarters to estimate the quarter ends of other years', () => {
  const endOf = quarterEndEstimator(new Map([['2025-05', localDate('2025-05-11')]]));
  expect(endOf('2025-05')).toBe('2025-05-11');
  expect(endOf('2026-05')).toBe('2026-05-11');
  expect(endOf('2026-08')).toBe('2026-08-31');
  expect(quarterBefore(localDate('2026-05-28'), fiscalCalendarOf('08-31', []), endOf)).toBe(
    '2026-05',
  );
});

test('returns the quarter label one year earlier and the last day of a month', () => {
  expect(yearBefore('2026-01')).toBe('2025-01');
  expect(monthEndOf('2024-02')).toBe('2024-02-29');
});
