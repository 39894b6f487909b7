import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  filed,
  filing,
  history,
  row,
  undated,
} from '../../../test/support/earnings-histories.ts';

const SEEN = '2026-02-12T12:00:00Z';

/** Ends of a year of 52 or 53 weeks that ends on the last Saturday of September. */
const LAST_SATURDAYS = ['2024-09-28', '2024-12-28', '2025-03-29', '2025-06-28'];
/** Ends of a year of 52 or 53 weeks that ends on the Saturday nearest to the end of the month. */
const NEAREST_SATURDAYS = ['2024-12-28', '2025-03-29', '2025-06-28', '2025-09-27', '2026-01-03'];
/** Ends of twelve-week quarters. */
const TWELVE_WEEKS = ['2024-11-24', '2025-02-16', '2025-05-11', '2025-08-31'];

/** Returns the end of the quarter that a filing without figures reports on. */
function endOfNextReport(ends: readonly string[], acceptedAt: string, yearEnd: string) {
  const { events } = derive([...ends.map((end) => filed(end)), filing(acceptedAt)], { yearEnd });
  return events.at(-1);
}

describe('the end of a quarter that no source gives', () => {
  test.each([
    ['the end of the month', ['2025-06-30', '2025-09-30'], '2026-02-10', '12-31', '2025-12-31'],
    ['the last Saturday', LAST_SATURDAYS, '2025-10-30', '09-27', '2025-09-27'],
    ['the nearest Saturday', NEAREST_SATURDAYS, '2027-02-01', '12-31', '2027-01-02'],
    [
      'the nearest Saturday in a month seen once',
      NEAREST_SATURDAYS,
      '2026-05-01',
      '12-31',
      '2026-03-28',
    ],
    ['the end of the month without filed ends', [], '2026-02-10', '12-31', '2025-12-31'],
  ])('is %s', (_, ends, day, yearEnd, expected) => {
    const event = endOfNextReport(ends, `${day}T21:30:00Z`, yearEnd);
    expect(event?.fiscalPeriodEnd).toBe(expected);
    expect(event?.fiscalYear).not.toBeNull();
    expect(event?.provenance.fiscalPeriodEnd).toBeUndefined();
  });

  test('is close to the usual day in quarters of twelve weeks', () => {
    const event = endOfNextReport(TWELVE_WEEKS, '2025-12-11T21:15:00Z', '08-31');
    expect(event?.fiscalPeriodEnd).toBe('2025-11-24');
  });

  test('also replaces the end of a month that a source gives', () => {
    const calendar = history('nasdaq/calendar-earnings', '2025-09', [
      [SEEN, row('2025-10-30', { fiscalPeriodEnd: localDate('2025-09-30') })],
    ]);
    const { events } = derive([...LAST_SATURDAYS.map((end) => filed(end)), calendar]);
    expect(events.at(-1)?.fiscalPeriodEnd).toBe('2025-09-27');
  });

  test('is unknown without a fiscal calendar', () => {
    const calendar = history('fmp/earnings-calendar', 'date', [[SEEN, undated('2026-02-10')]]);
    expect(derive([calendar]).events[0]).toMatchObject({ fiscalPeriodEnd: null, fiscalYear: null });
  });
});
