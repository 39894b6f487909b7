import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, localDate, type LocalDate } from '../../../domain/local-date.ts';
import { marketCalendar } from '../../../domain/market/calendar.ts';
import { monthEndOf, quarterAfter, yearBefore } from '../fiscal-calendar.ts';
import { periodEndRule } from '../period-end.ts';
import type { SessionMarker } from '../observation.ts';
import { predictSession } from './predict-session.ts';
import { type ProjectedReport, projectReport } from './project-report.ts';
import type { PastReport } from './report-context.ts';

const market = marketCalendar();

/** Returns reports on these days, the last one about the quarter to December 2025. */
function reportsOn(
  days: readonly string[],
  time: SessionMarker = 'time-after-hours',
): PastReport[] {
  let label = '2025-12';
  return days
    .toReversed()
    .map((day): PastReport => {
      const report = { label, date: localDate(day), time };
      label = yearBefore(quarterAfter(quarterAfter(quarterAfter(label))));
      return report;
    })
    .toReversed();
}

/** Reports on the last Thursday but one of the month, for three years. */
const THURSDAYS = reportsOn([
  '2023-01-19',
  '2023-04-20',
  '2023-07-20',
  '2023-10-19',
  '2024-01-18',
  '2024-04-18',
  '2024-07-18',
  '2024-10-17',
  '2025-01-23',
  '2025-04-17',
  '2025-07-17',
  '2025-10-16',
  '2026-01-22',
]);

function project(
  reports: readonly PastReport[],
  today: string,
  endOf: (label: string) => LocalDate = monthEndOf,
): ProjectedReport | null {
  const lastLabel = reports.at(-1)?.label ?? '';
  return projectReport({ reports, lastLabel, endOf }, localDate(today), market);
}

describe('a company with a habit', () => {
  test('projects the next quarter on the usual weekday and names the rule', () => {
    const projected = project(THURSDAYS, '2026-01-23');
    expect(projected).toMatchObject({
      label: '2026-03',
      date: '2026-04-16',
      session: { time: 'time-after-hours' },
      passedDay: null,
    });
    expect(projected?.basis).toMatch(/^From 13 past reports: .+, which held for \d+ % of/);
  });

  test('gives the quarter with an extra week a report one week later', () => {
    // The fiscal year ends on the last Saturday of September, and its first quarter has the week.
    const ends = new Map<string, LocalDate>();
    let label = '2015-09';
    for (let end = localDate('2015-09-26'); end <= '2022-09-24'; label = quarterAfter(label)) {
      ends.set(label, end);
      end = addDays(end, label === '2016-09' ? 98 : 91);
    }
    const reports = [...ends].map(([quarter, end]): PastReport => ({
      label: quarter,
      date: addDays(end, 33),
      time: 'time-after-hours',
    }));
    const endOf = periodEndRule(ends);
    expect(['2022-12', '2023-03', '2023-06', '2023-09'].map(endOf)).toEqual([
      '2022-12-31',
      '2023-04-01',
      '2023-07-01',
      '2023-09-30',
    ]);
    expect(project(reports, '2022-10-28', endOf)?.date).toBe('2023-02-02');
  });

  test('is not projected from fewer than two years of reports, or without the quarter of a year ago', () => {
    expect(project(THURSDAYS.slice(-7), '2026-01-23')).toBeNull();
    const withoutYearAgo = THURSDAYS.filter(({ label }) => !/^2025-(?:03|06|09|12)$/.test(label));
    expect(project(withoutYearAgo, '2025-02-01')).toMatchObject({ label: '2025-03' });
    const [last] = THURSDAYS.slice(-1);
    const gap = [...THURSDAYS.slice(0, 8), ...(last === undefined ? [] : [last])];
    expect(project(gap, '2026-01-23')).toMatchObject({ label: '2026-12' });
  });
});

describe('a projected day that passes', () => {
  test('moves to the next likely day, and to the next quarter if the report is too late', () => {
    const days: string[] = [];
    let today = localDate('2026-04-16');
    for (;;) {
      const projected = project(THURSDAYS, today);
      if (projected?.label !== '2026-03') {
        expect(projected).toMatchObject({ label: '2026-06', passedDay: days.at(-1) });
        break;
      }
      expect(projected.passedDay).toBe(days.at(-1) ?? null);
      days.push(projected.date);
      today = addDays(projected.date, 1);
    }
    expect(days[0]).toBe('2026-04-16');
    expect(days).toEqual(days.toSorted());
    expect(days.length).toBeGreaterThan(1);
    expect(daysBetween(localDate('2026-04-16'), today)).toBeLessThan(21);
  });

  test('ends a year after the last report', () => {
    expect(project(THURSDAYS, '2027-01-10')).toMatchObject({ label: '2026-12' });
    expect(project(THURSDAYS, '2027-03-15')).toBeNull();
  });
});

describe('the session', () => {
  const after = reportsOn(Array.from({ length: 8 }, (_, index) => `2025-01-${10 + index}`));
  const before = (count: number): PastReport[] =>
    after.map((report, index) =>
      index < after.length - count ? report : { ...report, time: 'time-pre-market' },
    );

  test.each([
    ['the one of all reports', 0, 'time-after-hours'],
    ['unknown after one report in another session', 1, 'time-not-supplied'],
    ['the new one after four reports in it', 4, 'time-pre-market'],
  ] as const)('is %s', (_, count, expected) => {
    expect(predictSession(before(count)).time).toBe(expected);
  });

  test('is unknown if no report had one', () => {
    expect(predictSession(reportsOn(['2025-01-10'], 'time-not-supplied')).time).toBe(
      'time-not-supplied',
    );
  });
});

test('gives nested intervals of trading days that are not over, and only changes when its day passes', () => {
  const seed = Number(process.env['AFTERBELL_SEED'] ?? 20_261_124);
  console.log(`projected dates: AFTERBELL_SEED=${seed}`);
  const lags = fc.array(fc.integer({ min: 15, max: 55 }), { minLength: 8, maxLength: 24 });
  fc.assert(
    fc.property(
      lags,
      fc.nat(420),
      fc.nat(40),
      fc.integer({ min: 0, max: 2 }),
      (shape, wait, more, phase) => {
        const reports = reportsAfter(shape, phase);
        const lastDay = reports.at(-1)?.date ?? localDate('2026-01-01');
        const today = addDays(lastDay, wait + 1);
        const projected = project(reports, today);
        if (projected === null) return;
        const { date, interval50, interval80 } = projected;
        const days = [interval80.from, interval50.from, date, interval50.to, interval80.to];
        expect(days).toEqual(days.toSorted());
        expect(days.filter((day) => !market.isTradingDay(day))).toEqual([]);
        expect(date >= today && interval80.from > lastDay).toBe(true);
        expect(projected.session.probability).toBeGreaterThan(0);
        const later = addDays(today, Math.min(more, daysBetween(today, date)));
        expect(project(reports, later)).toEqual(projected);
      },
    ),
    { seed, numRuns: 300 },
  );
});

/** Returns reports some days after the ends of quarters, on trading days. */
function reportsAfter(lags: readonly number[], phase: number): PastReport[] {
  let label = `2018-0${3 - phase}`;
  return lags.map((lag): PastReport => {
    label = quarterAfter(label);
    const date = market.previousTradingDay(addDays(monthEndOf(label), lag));
    return { label, date, time: lag % 2 === 0 ? 'time-pre-market' : 'time-after-hours' };
  });
}
