import { expect, test } from 'vitest';
import { quotaPeriodOf, quotaPeriods } from './quota-window.ts';

const HOUR_MS = 3_600_000;

/** Sundays on which New York clocks skip or repeat an hour. */
const CLOCK_CHANGES: [year: number, spring: string, autumn: string][] = [
  [2024, '2024-03-10', '2024-11-03'],
  [2025, '2025-03-09', '2025-11-02'],
  [2026, '2026-03-08', '2026-11-01'],
  [2027, '2027-03-14', '2027-11-07'],
  [2028, '2028-03-12', '2028-11-05'],
  [2029, '2029-03-11', '2029-11-04'],
  [2030, '2030-03-10', '2030-11-03'],
];

test.each(CLOCK_CHANGES)(
  'makes quota days last 23 and 25 hours at the clock changes in %i',
  (_, spring, autumn) => {
    for (const [date, hours, before, after] of [
      [spring, 23, '-05:00', '-04:00'],
      [autumn, 25, '-04:00', '-05:00'],
    ] as const) {
      const startsAt = Date.parse(`${date}T00:00:00${before}`);
      const endsAt = Date.parse(`${date}T23:59:59.999${after}`) + 1;
      expect((endsAt - startsAt) / HOUR_MS).toBe(hours);
      const period = quotaPeriodOf(startsAt);
      expect(period).toMatchObject({ dayStartsAt: startsAt, dayEndsAt: endsAt });
      expect(quotaPeriodOf(endsAt - 1)).toEqual(period);
      expect(quotaPeriodOf(startsAt - 1).dayId).toBe(period.dayId - 1);
      expect(quotaPeriodOf(endsAt).dayId).toBe(period.dayId + 1);
    }
  },
);

// Name for the end of a month, its last moment, and the number of days in the next month.
const MONTH_ENDS: [what: string, lastMoment: string, daysAfter: number][] = [
  ['31 December', '2026-12-31T23:59:59.999-05:00', 31],
  ['29 February', '2028-02-29T23:59:59.999-05:00', 31],
  ['28 February of a common year', '2027-02-28T23:59:59.999-05:00', 31],
  ['31 January before a leap February', '2028-01-31T23:59:59.999-05:00', 29],
  ['31 October, a day before the clocks change', '2026-10-31T23:59:59.999-04:00', 30],
];

test.each(MONTH_ENDS)(
  'ends the quota day and month together at the end of %s',
  (_, lastMoment, daysAfter) => {
    const last = quotaPeriodOf(Date.parse(lastMoment));
    const next = quotaPeriodOf(Date.parse(lastMoment) + 1);
    expect(last.dayEndsAt).toBe(Date.parse(lastMoment) + 1);
    expect(last.monthEndsAt).toBe(last.dayEndsAt);
    expect(next).toMatchObject({ dayId: last.dayId + 1, monthId: last.monthId + 1 });
    expect(quotaPeriodOf(next.monthEndsAt - 1).dayId - last.dayId).toBe(daysAfter);
  },
);

test('continues the quota month after 28 February in a leap year', () => {
  const period = quotaPeriodOf(Date.parse('2028-02-28T23:59:59-05:00'));
  expect(period.monthEndsAt).toBe(Date.parse('2028-03-01T00:00:00-05:00'));
});

test('returns the same quota period with and without the cache, at every hour of two years and back', () => {
  const periodOf = quotaPeriods();
  const start = Date.parse('2027-06-01T00:30:00Z');
  const hours = Array.from({ length: 17_520 }, (_, index) => start + index * HOUR_MS);
  for (const now of [...hours, ...hours.toReversed()]) {
    const cached = periodOf(now);
    if (cached.dayEndsAt !== quotaPeriodOf(now).dayEndsAt)
      expect(cached).toEqual(quotaPeriodOf(now));
  }
  expect(periodOf(start)).toEqual(quotaPeriodOf(start));
});
