import type { CalendarObservation } from '../../../src/datasets/earnings/observation.ts';
import {
  addDays,
  lastDayOfMonth,
  localDate,
  type LocalDate,
  monthOf,
  yearOf,
} from '../../../src/domain/local-date.ts';
import type { Random } from '../../../src/platform/random.ts';
import { chance, pick } from './random-draws.ts';

export const SYMBOLS: readonly string[] = ['ALFA', 'BRVO', 'CHLY', 'DLTA', 'ECHO'];

const TIMES = ['time-pre-market', 'time-after-hours', 'time-not-supplied'] as const;

/** Reports that one source currently publishes. They change over time. */
export interface PublishedReports {
  /** Returns the rows that the source publishes today. */
  rows(today: LocalDate): CalendarObservation[];
  /** Changes one published value. */
  change(today: LocalDate): void;
}

/**
 * Creates the published reports. `nextCount` never repeats a number, so most changes produce a
 * unique figure.
 */
export function createPublishedReports(random: Random, nextCount: () => number): PublishedReports {
  const reports = new Map<string, CalendarObservation>();

  function reportOf(symbol: string, today: LocalDate): CalendarObservation {
    const end = quarterEnd(today);
    const existing = reports.get(`${symbol} ${end}`);
    if (existing !== undefined) return existing;
    const report: CalendarObservation = {
      kind: 'calendar',
      symbol,
      name: `${symbol} Works`,
      currency: 'USD',
      date: addDays(end, 20 + random.int(40)),
      time: pick(random, TIMES),
      dateStatus: 'projected',
      fiscalPeriodEnd: end,
      fiscalPeriodPrecision: 'day',
      epsBasis: 'adjusted',
      epsEstimate: '1.2',
      revenueEstimate: String(1e3 + nextCount()),
      eps: null,
      revenue: null,
    };
    reports.set(`${symbol} ${end}`, report);
    return report;
  }

  function change(today: LocalDate): void {
    const report = reportOf(pick(random, SYMBOLS), today);
    const draw = random.int(10);
    if (draw < 5) report.revenueEstimate = String(1_000 + nextCount());
    else if (draw === 5) report.date = addDays(report.date, random.int(2) === 0 ? 1 : -1);
    else if (draw === 6) report.time = pick(random, TIMES);
    // Sometimes restores an earlier value.
    else if (draw === 7) report.epsEstimate = pick(random, ['1.2', '1.3', null]);
    else if (report.date <= today) {
      report.eps = pick(random, ['1.25', '1.1', null]);
      report.revenue = chance(random, 0.8) ? String(1_000 + nextCount()) : null;
    } else report.revenueEstimate = String(1_000 + nextCount());
  }

  return {
    rows: (today) => SYMBOLS.map((symbol) => ({ ...reportOf(symbol, today) })),
    change,
  };
}

/** Returns the last quarter that ended before the day, which is the one to report. */
function quarterEnd(today: LocalDate): LocalDate {
  const quarter = Math.floor((monthOf(today) - 1) / 3);
  const year = quarter === 0 ? yearOf(today) - 1 : yearOf(today);
  const month = quarter === 0 ? 12 : quarter * 3;
  return lastDayOfMonth(year, month);
}

/** First day of the simulation. */
export const FIRST_DAY = localDate('2026-01-05');
