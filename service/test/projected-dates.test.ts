import { beforeAll, describe, expect, test } from 'vitest';
import { quarterAfter, yearBefore } from '../src/datasets/earnings/fiscal-calendar.ts';
import type { SessionMarker } from '../src/datasets/earnings/observation.ts';
import { periodEndRule } from '../src/datasets/earnings/period-end.ts';
import { projectReport } from '../src/datasets/earnings/projection/project-report.ts';
import type { PastReport } from '../src/datasets/earnings/projection/report-context.ts';
import { addDays, localDate, type LocalDate } from '../src/domain/local-date.ts';
import { marketCalendar } from '../src/domain/market/calendar.ts';
import { derive } from './support/earnings-histories.ts';
import { projectionErrors, type ProjectionOutcome } from './support/projection-errors.ts';
import { loadRecordedCompanies, type RecordedCompany } from './support/recorded-histories.ts';

/** Folder with responses recorded from real sources: `PROVIDER/NAME/`, each with a `meta.json`. */
const ROOT = process.env['AFTERBELL_RECORDINGS'];
const WANTED = /^sec\/(?:submissions|companyfacts|company-tickers-exchange)-(?!404)/;
/** The companies with recorded filings. */
const SYMBOLS = ['AAPL', 'COST', 'EXPE', 'KO', 'MSFT', 'NVDA', 'WMT'];
/** The weights were fitted to reports of other companies before this day. */
const SINCE = '2009-01-01';
const REPORTS_MIN = 8;
const market = marketCalendar();

interface FiledReport extends PastReport {
  /** Last day of the quarter; null if no filing has it. */
  filedEnd: LocalDate | null;
}

interface Outcome extends ProjectionOutcome {
  symbol: string;
  session: SessionMarker;
  actualSession: SessionMarker;
}

// The guide docs/projected-dates.md has the measured shares.
describe.skipIf(ROOT === undefined)('projected dates, walking forward since 2009', () => {
  let companies: RecordedCompany[] = [];

  beforeAll(async () => {
    companies = await loadRecordedCompanies(ROOT ?? '', WANTED, SYMBOLS);
  }, 60_000);

  test('are right as often as documented on the day after the last report, and more often than a year ago plus 52 weeks', () => {
    const all = companies.flatMap((company) => walkForward(company, Infinity));
    print('with the years of the fit', all);
    const outcomes = all.filter(({ actual }) => actual >= SINCE);
    const errors = print('day after the last report', outcomes);
    for (const [symbol, own] of Map.groupBy(outcomes, (each) => each.symbol)) print(symbol, own);
    for (const [year, own] of Map.groupBy(outcomes, (each) => each.actual.slice(0, 4))) {
      print(year, own);
    }
    expect(errors.reports).toBeGreaterThanOrEqual(400);
    expect(errors.exact).toBeGreaterThanOrEqual(0.6);
    expect(errors.exact).toBeGreaterThan(errors.naiveExact + 0.08);
    expect(errors.withinOneDay).toBeGreaterThanOrEqual(0.74);
    expect(errors.withinOneDay).toBeGreaterThan(errors.naiveWithinOneDay + 0.09);
    expect(errors.covered80).toBeGreaterThanOrEqual(0.77);
    expect(errors.covered80).toBeLessThanOrEqual(0.83);
    const isNamed = ({ session, actualSession }: Outcome): boolean =>
      session !== 'time-not-supplied' && actualSession !== 'time-not-supplied';
    const named = outcomes.filter(isNamed);
    const right = named.filter(({ session, actualSession }) => session === actualSession);
    console.log(`session: ${right.length} of ${named.length}`);
    expect(named.length / outcomes.length).toBeGreaterThanOrEqual(0.9);
    expect(right.length / named.length).toBeGreaterThanOrEqual(0.95);
  }, 60_000);

  test('are right on three days in five, and within a day on three in four, five days ahead', () => {
    const outcomes = companies.flatMap((company) =>
      walkForward(company, 5).filter(({ actual }) => actual >= SINCE),
    );
    const errors = print('five days ahead', outcomes);
    expect(errors.exact).toBeGreaterThanOrEqual(0.6);
    expect(errors.withinOneDay).toBeGreaterThanOrEqual(0.75);
  }, 60_000);

  test('fill the next 91 days from filings alone, up to a year after the newest filing', () => {
    for (const today of ['2026-07-01', '2026-11-24']) {
      const day = localDate(today);
      const dates = companies.flatMap(({ symbol, yearEnd, histories }) =>
        derive(histories, { symbol, today: day, ...(yearEnd !== null && { yearEnd }) })
          .events.filter(({ projection }) => projection !== null)
          .map(({ date }) => date),
      );
      expect(dates.filter((date) => date < day)).toEqual([]);
      const ahead = dates.filter((date) => date <= addDays(day, 91));
      expect(ahead.length, today).toBeGreaterThanOrEqual(5);
    }
  });
});

function print(name: string, outcomes: readonly Outcome[]): ReturnType<typeof projectionErrors> {
  const errors = projectionErrors(outcomes);
  console.log(name, JSON.stringify(errors));
  return errors;
}

/**
 * Projects each report from the reports before it: some days ahead, but not before the day after
 * the last of these reports.
 */
function walkForward(company: RecordedCompany, daysAhead: number): Outcome[] {
  const all = filedReports(company);
  return all.flatMap(({ label, date: actual, time }, index): Outcome[] => {
    const reports = all.slice(0, index);
    const last = reports.at(-1);
    const yearAgo = reports.find((report) => report.label === yearBefore(label));
    if (index < REPORTS_MIN || last === undefined) return [];
    if (yearAgo === undefined || quarterAfter(last.label) !== label) return [];
    const dayAfter = addDays(last.date, 1);
    const ahead = daysAhead === Infinity ? dayAfter : addDays(actual, -daysAhead);
    const today = ahead > dayAfter ? ahead : dayAfter;
    const ends = reports.flatMap((report) =>
      report.filedEnd === null ? [] : [[report.label, report.filedEnd] as const],
    );
    const history = { reports, lastLabel: last.label, endOf: periodEndRule(new Map(ends)) };
    const predicted = projectReport(history, today, market);
    if (predicted === null) return [];
    const outcome = { actual, naive: addDays(yearAgo.date, 364), predicted };
    const session = predicted.session.time;
    return [{ ...outcome, symbol: company.symbol, session, actualSession: time }];
  });
}

function filedReports({ symbol, yearEnd, histories }: RecordedCompany): FiledReport[] {
  return derive(histories, { symbol, ...(yearEnd !== null && { yearEnd }) })
    .reports.filter(({ candidate }) => candidate.filing !== null)
    .map(({ candidate: { label, financials }, event: { date, time, fiscalPeriodEnd } }) => ({
      label,
      date,
      time,
      filedEnd: financials === null ? null : fiscalPeriodEnd,
    }));
}
