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
import { chance, pick } from './draws.ts';

export const SYMBOLS: readonly string[] = ['ALFA', 'BRVO', 'CHLY', 'DLTA', 'ECHO'];

const TIMES = ['time-pre-market', 'time-after-hours', 'time-not-supplied'] as const;

/** What one source believes of the companies' reports; it changes its mind as sources do. */
export interface Beliefs {
  /** The rows that it tells today. */
  rows(today: LocalDate): CalendarObservation[];
  /** Something is believed otherwise from now on. */
  change(today: LocalDate): void;
}

/** `nextCount` never repeats: most changes bring a figure that no other change brings. */
export function createBeliefs(random: Random, nextCount: () => number): Beliefs {
  const reports = new Map<string, CalendarObservation>();

  function reportOf(symbol: string, today: LocalDate): CalendarObservation {
    const end = quarterEnd(today);
    const known = reports.get(`${symbol} ${end}`);
    if (known !== undefined) return known;
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
    // Back to what it was before, now and then.
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

/** The quarter that is reported on about that day: the one before, until it has been long reported. */
function quarterEnd(today: LocalDate): LocalDate {
  const quarter = Math.floor((monthOf(today) - 1) / 3);
  const year = quarter === 0 ? yearOf(today) - 1 : yearOf(today);
  const month = quarter === 0 ? 12 : quarter * 3;
  return lastDayOfMonth(year, month);
}

/** The day of a text that is one. */
export const FIRST_DAY = localDate('2026-01-05');
