import { describe, expect, it } from 'vitest';
import { fiscalLabels, periodLabel } from './fiscal-period.ts';
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
  ] as const)('a period that ends on %s (known by its %s) is %s', (end, precision, label) => {
    expect(periodLabel(localDate(end), precision)).toBe(label);
  });

  it('names one quarter of a 52-week year alike however the end wanders', () => {
    const ends = ['2024-09-28', '2024-09-30', '2024-10-01', '2024-10-03'];
    expect(new Set(ends.map((end) => periodLabel(localDate(end), 'day')))).toEqual(
      new Set(['2024-09']),
    );
  });
});

describe('fiscalLabels', () => {
  it.each([
    ['2025-12-31', '12-31', 2025, 4],
    ['2025-03-31', '12-31', 2025, 1],
    ['2026-01-03', '12-31', 2025, 4],
    ['2024-12-28', '01-03', 2024, 4],
    ['2026-01-03', '01-03', 2025, 4],
    ['2025-09-27', '09-27', 2025, 4],
    ['2025-12-27', '09-27', 2026, 1],
    ['2025-12-31', '06-30', 2026, 2],
    ['2026-01-31', '01-31', 2026, 4],
    ['2025-04-30', '01-31', 2026, 1],
    ['2024-02-29', '02-28', 2024, 4],
    ['2024-02-29', '02-29', 2024, 4],
    ['2025-05-31', '02-28', 2026, 1],
  ])('%s of a year ending %s is %i Q%i', (end, yearEnd, fiscalYear, fiscalQuarter) => {
    expect(fiscalLabels(localDate(end), yearEnd)).toEqual({ fiscalYear, fiscalQuarter });
  });

  it.each([
    ['2025-11-15', '12-31'],
    ['2025-12-31', '13-31'],
    ['2025-12-31', '1231'],
    ['2025-12-31', ''],
  ])('%s with a year end %j fits no quarter', (end, yearEnd) => {
    expect(fiscalLabels(localDate(end), yearEnd)).toBeNull();
  });

  it('takes ten days and refuses eleven', () => {
    expect(fiscalLabels(localDate('2025-07-10'), '12-31')?.fiscalQuarter).toBe(2);
    expect(fiscalLabels(localDate('2025-07-11'), '12-31')).toBeNull();
  });
});
