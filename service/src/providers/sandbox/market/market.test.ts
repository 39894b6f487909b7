import { describe, expect, it } from 'vitest';
import { marketCalendar } from '../../../domain/market/calendar.ts';
import { addDays } from '../../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../../domain/new-york.ts';
import { parseInstant } from '../../../platform/instant.ts';
import { Market } from './market.ts';

const { isTradingDay, tradingDays } = marketCalendar();
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function marketOf(seed: number, companies = 560): Market {
  return new Market({ seed, companies, isTradingDay });
}

function at(text: string): number {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(text);
  return instant;
}

function everyView(market: Market, now: number) {
  return market.companies.flatMap(({ index }) => market.upcoming(index, now));
}

const NOW = at('2026-11-22T03:04:05Z');

describe('the simulated market', () => {
  it('generates the same market for the same seed, regardless of the order of reads, and a different market for a different seed', () => {
    const days = marketOf(3);
    days.changed(NOW - DAY_MS, NOW);
    days.released(NOW - 400 * DAY_MS, NOW);
    const dates = (market: Market) => JSON.stringify(everyView(market, NOW));
    expect(dates(days)).toBe(dates(marketOf(3)));
    expect(dates(days)).not.toBe(dates(marketOf(4)));
  });

  it('shows and releases simulated reports only on trading days, over the past five years and the year ahead', () => {
    const market = marketOf(1);
    const released = market.released(NOW - 5 * 365 * DAY_MS, NOW + 365 * DAY_MS);
    expect(released.length).toBeGreaterThan(560 * 23);
    for (const report of released) {
      expect(isTradingDay(report.date)).toBe(true);
      expect(newYorkDate(report.releaseAt)).toBe(report.date);
    }
    for (let day = 0; day < 100; day += 9) {
      const views = everyView(market, NOW + day * DAY_MS);
      expect(views.filter((view) => !isTradingDay(view.date))).toEqual([]);
    }
  });

  it.each([1, 2, 77])(
    'schedules five reports on every trading day of the year with seed %i',
    (seed) => {
      const market = marketOf(seed);
      for (const start of [
        '2026-11-20T12:00:00Z',
        '2027-02-10T05:00:00Z',
        '2028-07-01T20:00:00Z',
      ]) {
        const now = at(start);
        const counts = new Map<string, number>();
        for (const view of everyView(market, now)) {
          counts.set(view.date, (counts.get(view.date) ?? 0) + 1);
        }
        // The last quarter ahead appears one company at a time, so the test excludes it.
        const first = addDays(newYorkDate(now), 1);
        const thin = tradingDays(first, addDays(first, 270)).filter(
          (date) => (counts.get(date) ?? 0) < 5,
        );
        expect(thin).toEqual([]);
        expect(Math.max(...counts.values())).toBeGreaterThanOrEqual(25);
      }
    },
  );

  it('changes at least one simulated report every ten minutes for a whole week', () => {
    const market = marketOf(1);
    for (let now = NOW; now < NOW + 7 * DAY_MS; now += 5 * MINUTE_MS) {
      expect(market.changed(now, now + 10 * MINUTE_MS).length).toBeGreaterThan(0);
    }
  });

  it('schedules four upcoming quarters for every company, in order and without a gap', () => {
    const market = marketOf(1);
    for (const { index } of market.companies) {
      const views = market.upcoming(index, NOW);
      expect(views.map((view) => view.actual)).toEqual([null, null, null, null]);
      const quarters = views.map(({ report }) => report.period.year * 4 + report.period.quarter);
      expect(quarters).toEqual([0, 1, 2, 3].map((i) => (quarters[0] ?? 0) + i));
    }
  });

  it("shows results from the second of their release, with the previous day's consensus", () => {
    const market = marketOf(1);
    for (const report of market.released(NOW - 30 * DAY_MS, NOW)) {
      const { company, cycle, releaseAt } = report;
      const before = market.view(company.index, cycle, releaseAt - 1);
      const after = market.view(company.index, cycle, releaseAt);
      expect(before.actual).toBeNull();
      expect(before.status).toBe('confirmed');
      expect(before.date).toBe(report.date);
      expect(after.actual).toMatchObject({ epsCents: report.figures.epsCents, at: releaseAt });
      expect(after.estimate).toEqual(before.estimate);
      expect(after.estimate).toEqual(market.view(company.index, cycle, report.freezeAt).estimate);
    }
  });

  it('shows the conference call with the confirmed date, after the release, and moves it with the report', () => {
    const market = marketOf(1);
    for (const report of market.released(NOW - 30 * DAY_MS, NOW)) {
      const { company, cycle, releaseAt, confirmAt } = report;
      expect(market.view(company.index, cycle, confirmAt - 1).callAt).toBeNull();
      const { callAt } = market.view(company.index, cycle, releaseAt);
      expect(newYorkDate(callAt ?? 0)).toBe(report.date);
      expect((callAt ?? 0) % (30 * 60_000)).toBe(0);
      if (company.session !== 'unknown') expect(callAt).toBeGreaterThan(releaseAt);
      const confirmed = market.view(company.index, cycle, confirmAt);
      expect(newYorkDate(confirmed.callAt ?? 0)).toBe(confirmed.date);
    }
  });

  it('keeps the key of a report that moves to a different date', () => {
    const market = marketOf(1);
    const movedReports = market
      .released(NOW - 200 * DAY_MS, NOW)
      .filter((report) => report.rescheduleAt !== null);
    expect(movedReports.length).toBeGreaterThan(5);
    for (const { company, cycle, rescheduleAt } of movedReports) {
      const before = market.view(company.index, cycle, (rescheduleAt ?? 0) - 1);
      const after = market.view(company.index, cycle, rescheduleAt ?? 0);
      expect(before.status).toBe('confirmed');
      expect(after.date).not.toBe(before.date);
      expect(after.report.period).toEqual(before.report.period);
    }
  });

  it('never shows an unreported date in the past', () => {
    const market = marketOf(2);
    for (let now = NOW; now < NOW + 92 * DAY_MS; now += 11 * 60 * MINUTE_MS) {
      const today = newYorkDate(now);
      expect(everyView(market, now).filter((view) => view.date < today)).toEqual([]);
    }
  });

  it('reports every change, so that applying all changes in order produces the same state as a later full read', () => {
    const market = marketOf(5, 100);
    const key = (view: ReturnType<Market['view']>) =>
      `${view.report.company.symbol} ${view.report.cycle}`;
    const earlier = new Map(everyView(market, NOW).map((view) => [key(view), view]));
    for (let now = NOW; now < NOW + 20 * DAY_MS; now += 45 * MINUTE_MS) {
      for (const view of market.changed(now, now + 45 * MINUTE_MS)) earlier.set(key(view), view);
      if (Math.floor((now - NOW) / MINUTE_MS) % 1440 !== 0) continue;
      for (const view of everyView(market, now + 45 * MINUTE_MS)) {
        expect(earlier.get(key(view))).toEqual(view);
      }
    }
  });

  it('generates outcomes, reporting lags and company sizes like those of a real market', () => {
    const market = marketOf(1);
    const reports = market.released(NOW - 2 * 365 * DAY_MS, NOW);
    const beats = reports.filter((report) => {
      const estimate = market.view(report.company.index, report.cycle, NOW).estimate;
      return report.figures.epsCents > (estimate?.epsCents ?? Infinity);
    });
    const share = beats.length / reports.length;
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(0.75);
    for (const report of reports) {
      const lag = (report.releaseAt - newYorkInstant(report.period.end, 0)) / DAY_MS;
      expect(lag).toBeGreaterThan(10);
      expect(lag).toBeLessThan(62);
    }
    const losses = reports.filter((report) => report.figures.epsCents < 0).length;
    expect(losses / reports.length).toBeGreaterThan(0.08);
    expect(losses / reports.length).toBeLessThan(0.3);
  });

  it('includes all fiscal year-ends and some periods that end on a Saturday', () => {
    const market = marketOf(1);
    const ends = market.companies.map(({ index }) => market.fiscalYearEnd(index, NOW));
    expect(new Set(ends.map((end) => end.slice(0, 2))).size).toBe(12);
    const december = ends.filter((end) => end === '12-31').length;
    expect(december / ends.length).toBeGreaterThan(0.35);
    expect(market.companies.filter((company) => company.endsOnSaturday).length).toBeGreaterThan(40);
  });

  it('rejects a market with no companies or with more companies than names', () => {
    expect(() => marketOf(1, 12_001)).toThrow(RangeError);
    expect(() => marketOf(1, 0)).toThrow(RangeError);
  });
});
