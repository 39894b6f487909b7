import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNewYork } from '../domain/new-york.ts';
import { parseInstant } from '../platform/instant.ts';
import { daily, everyOnWeekdays, lastDue, nextDue, onWeekdays, weekly } from './schedule.ts';

function at(text: string): number {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(text);
  return instant;
}

describe('a schedule', () => {
  it.each([
    // Thursday before Thanksgiving week; New York is five hours behind UTC.
    [daily('02:00'), '2026-11-19T06:59:59Z', '2026-11-19T02:00:00-05:00'],
    [daily('02:00'), '2026-11-19T07:00:00Z', '2026-11-20T02:00:00-05:00'],
    [daily('05:00', '20:40'), '2026-11-19T12:00:00Z', '2026-11-19T20:40:00-05:00'],
    [onWeekdays('20:20'), '2026-11-21T03:00:00Z', '2026-11-23T20:20:00-05:00'],
    [weekly(6, '04:00'), '2026-11-21T09:00:00Z', '2026-11-28T04:00:00-05:00'],
    [everyOnWeekdays(30, '06:00', '20:00'), '2026-11-19T15:10:00Z', '2026-11-19T10:30:00-05:00'],
    [everyOnWeekdays(30, '06:00', '20:00'), '2026-11-21T01:00:00Z', '2026-11-23T06:00:00-05:00'],
    // The clocks change in the night to 2026-11-01.
    [daily('02:00'), '2026-10-31T12:00:00Z', '2026-11-01T02:00:00-05:00'],
    [daily('02:30'), '2027-03-13T12:00:00Z', '2027-03-14T03:30:00-04:00'],
  ])('%j is due after %s at %s', (times, after, due) => {
    expect(formatNewYork(nextDue(times, at(after)))).toBe(due);
  });

  it('holds nothing between what was last due and what is due next', () => {
    const schedules = [daily('02:00', '14:30'), weekly(3, '00:00'), onWeekdays('23:59')];
    fc.assert(
      fc.property(
        fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2029-01-01T00:00:00Z') }),
        fc.constantFrom(...schedules),
        (now, times) => {
          const last = lastDue(times, now);
          expect(last).toBeLessThanOrEqual(now);
          expect(nextDue(times, last)).toBe(nextDue(times, now));
          expect(lastDue(times, last)).toBe(last);
        },
      ),
    );
  });

  it('refuses what is no clock time', () => {
    expect(() => daily('24:00')).toThrow(RangeError);
    expect(() => daily('7:00')).toThrow(RangeError);
  });
});
