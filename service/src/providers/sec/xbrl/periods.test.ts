import { describe, expect, it } from 'vitest';
import { localDate } from '../../../domain/local-date.ts';
import {
  clusterQuarters,
  groupByPeriod,
  lastQuarterOf,
  type Period,
  quartersOf,
} from './periods.ts';
import { makeFact } from '../../../../test/support/providers/xbrl-facts.ts';

function period(start: string, end: string): Period {
  return { start: localDate(start), end: localDate(end), facts: [] };
}

function endsOf(periods: readonly Period[]): string[] {
  return periods.map(({ end }) => end);
}

describe('quartersOf', () => {
  it.each([
    ['2024-09-02', '2024-11-24', 'twelve weeks', true],
    ['2025-03-30', '2025-06-28', 'thirteen weeks', true],
    ['2022-09-25', '2022-12-31', 'fourteen weeks', true],
    ['2025-01-01', '2025-02-28', 'two months', false],
    ['2025-01-01', '2025-06-30', 'half a year', false],
    ['2025-05-12', '2025-08-31', 'sixteen weeks nowhere near a year end', false],
  ])(
    'decides whether the period from %s to %s (%s) is a quarter',
    (start, end, _what, expected) => {
      expect(quartersOf([period(start, end)])).toHaveLength(expected ? 1 : 0);
    },
  );

  it('accepts quarters of sixteen or seventeen weeks at the start or end of a year', () => {
    const lastYear = period('2023-09-04', '2024-09-01');
    const first = period('2024-09-02', '2024-12-22');
    const last = period('2024-05-13', '2024-09-01');
    expect(quartersOf([lastYear, first, last])).toEqual([first, last]);
  });

  it('excludes the four-month transition period of a changed fiscal year', () => {
    const lastYear = period('2024-09-01', '2025-08-31');
    expect(quartersOf([lastYear, period('2025-09-01', '2025-12-31')])).toEqual([]);
  });
});

describe('the last quarter of a year', () => {
  it.each([
    ['2024-09-29', '2025-06-28', '2025-09-27', '2025-06-29'],
    ['2024-09-02', '2025-05-11', '2025-08-31', '2025-05-12'],
    ['2016-08-29', '2017-05-07', '2017-09-03', '2017-05-08'],
    ['2025-01-01', '2025-09-30', '2025-12-31', '2025-10-01'],
  ])(
    'for the year from %s, returns the remainder between %s and %s as the last quarter',
    (start, nineEnd, yearEnd, expected) => {
      const nine = period(start, nineEnd);
      const half = period(start, '2025-03-02');
      expect(lastQuarterOf(period(start, yearEnd), [half, nine])?.start).toBe(expected);
    },
  );

  it('returns no last quarter without nine months that have the same start as the year', () => {
    const year = period('2025-01-01', '2025-12-31');
    const otherPeriods = [
      period('2025-01-02', '2025-09-30'),
      period('2025-01-01', '2025-06-30'),
      year,
    ];
    expect(lastQuarterOf(year, otherPeriods)).toBeNull();
  });
});

describe('quarters with almost the same end', () => {
  it('merges quarters with almost the same end, with the period that has the most facts first', () => {
    const right = ['2025-02-16', '2025-05-11'] as const;
    const mistyped = ['2025-02-10', '2025-05-10'] as const;
    const facts = [
      makeFact('Revenues', mistyped, '9', '2025-06-01'),
      makeFact('Revenues', right, '9', '2025-06-02'),
      makeFact('EarningsPerShareDiluted', right, '1', '2025-06-02'),
      makeFact('Revenues', ['2025-05-12', '2025-08-10'], '8', '2025-09-01'),
    ];
    const clusters = clusterQuarters(quartersOf(groupByPeriod(facts)));
    expect(clusters.map(endsOf)).toEqual([['2025-05-11', '2025-05-10'], ['2025-08-10']]);
  });
});
