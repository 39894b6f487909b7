import { type Bar, barsOf, daysOfBars, meanVolume, newestSession } from './bars.ts';
import { nextSession, sessionBefore, sessionsFrom, trades } from './days.ts';
import {
  absolute,
  compare,
  type Exact,
  over,
  percentAbove,
  rounded,
  times,
  whole,
} from './exact.ts';
import type { RawEvent, RawFacts } from './raw-facts.ts';
import { type Window, windowOf } from './window.ts';

/**
 * Returns the expected response of /v1/earnings-reactions for a company's newest hundred reports.
 */
export function reactionsOf(facts: RawFacts, security: string, today: string) {
  const bars = barsOf(facts, security, today).filter(({ date }) => date <= today);
  const newest = bars.at(-1)?.date ?? '';
  const session = newestSession(facts);
  return (facts.eventsBySecurity.get(security) ?? [])
    .filter(({ status }) => status === 'reported')
    .toSorted((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? 1 : -1))
    .slice(0, 100)
    .map((event) => {
      const completed = session > newest ? session : newest;
      const window = windowOf(event, bars, completed);
      const { base, first, basis } = window;
      const mean = base === null ? null : meanVolume(bars, base.date);
      return {
        date: event.date,
        baseDate: base?.date ?? null,
        basePrice: base?.display.close ?? null,
        reactionBasis: basis,
        averageVolume: mean === null ? null : rounded(mean, 0),
        reactions: base === null || first === null ? [] : daysAfter(bars, base, first, mean),
      };
    });
}

function daysAfter(bars: readonly Bar[], base: Bar, first: Bar, mean: Exact | null) {
  const reactions = [];
  let previous = base;
  for (const bar of bars) {
    if (bar.date < first.date || reactions.length === 10) continue;
    if (reactions.length > 0 && bar.date > sessionsFrom(previous.date, 10)) break;
    reactions.push({
      day: reactions.length + 1,
      date: bar.date,
      ...bar.display,
      priceChange: rounded(percentAbove(previous.close, bar.close), 4),
      gapChange:
        reactions.length > 0 || bar.open === null
          ? null
          : rounded(percentAbove(base.close, bar.open), 4),
      cumulativeChange: rounded(percentAbove(base.close, bar.close), 4),
      volumeRatio: ratioOf(bar, mean),
    });
    previous = bar;
  }
  return reactions;
}

interface MoverRow {
  symbol: string;
  priceChange: number;
  close: number;
  volume: number | null;
  basePrice: number;
  baseDate: string;
  reportDate: string;
  time: string;
  reactionBasis: string;
  gapChange: number | null;
  volumeRatio: number | null;
}

/** A report whose first session is on the day, with the company's bars. */
interface DayReport {
  event: RawEvent;
  bars: Bar[];
  window: Window;
}

/** Returns the expected response of /v1/earnings-movers for a past day. */
export function moversOf(facts: RawFacts, date: string, today: string) {
  const daysWithBars = daysOfBars(facts);
  const hasBars = daysWithBars.has(date);
  const { reports, mayChange } = reportsOf(facts, { date, today, hasBars });
  const rows: { move: Exact; row: MoverRow }[] = [];
  let [unknownSession, withoutPrices] = [0, 0];
  for (const { event, bars, window } of reports) {
    const { base, first, basis } = window;
    if (basis === 'assumed') {
      unknownSession++;
      continue;
    }
    if (base === null || first === null || sessionsFrom(base.date, 6) < first.date) {
      withoutPrices++;
      continue;
    }
    const move = percentAbove(base.close, first.close);
    if (compare(absolute(move), whole(5)) < 0) continue;
    const row = {
      symbol: event.symbol,
      priceChange: rounded(move, 4),
      close: first.display.close,
      volume: first.display.volume,
      basePrice: base.display.close,
      baseDate: base.date,
      reportDate: event.date,
      time: event.time,
      reactionBasis: basis,
      gapChange: first.open === null ? null : rounded(percentAbove(base.close, first.open), 4),
      volumeRatio: ratioOf(first, meanVolume(bars, base.date)),
    };
    rows.push({ move, row });
  }
  rows.sort(
    (a, b) => compare(absolute(b.move), absolute(a.move)) || (a.row.symbol < b.row.symbol ? -1 : 1),
  );
  const isComplete = hasBars && daysWithBars.has(sessionBefore(date));
  return {
    final: !mayChange && (isComplete || reports.length === 0),
    totalReported: reports.length,
    unknownSession,
    withoutPrices,
    data: rows.map(({ row }) => row),
  };
}

/**
 * Returns one report per symbol. `mayChange` is true if an open report may still move to the day.
 */
function reportsOf(
  facts: RawFacts,
  { date, today, hasBars }: { date: string; today: string; hasBars: boolean },
): { reports: DayReport[]; mayChange: boolean } {
  const session = newestSession(facts);
  const from = sessionsFrom(date, -11);
  const reports = new Map<string, DayReport>();
  let mayChange = false;
  for (const event of facts.events) {
    if (event.date < from || event.date > date) continue;
    const all = barsOf(facts, event.security, today);
    // If other companies have bars on the day, a company without one was halted. If no company has
    // a bar on the day, later bars are ignored.
    const bars = hasBars ? all : all.filter((bar) => bar.date <= date);
    const window = windowOf(event, bars, session, event.status === 'reported');
    const isOpen = event.reportedAt === null && event.time === 'time-not-supplied';
    const reportSession = trades(event.date) ? event.date : nextSession(event.date);
    if (isOpen && nextSession(reportSession) > session) mayChange = true;
    if (window.firstDay !== date) continue;
    const other = reports.get(event.symbol);
    if (other === undefined || hasBetterWindow({ event, window }, other)) {
      reports.set(event.symbol, { event, bars, window });
    }
  }
  return { reports: [...reports.values()], mayChange };
}

/**
 * Prefers a known window to an inferred one and an inferred one to an assumed one, then the newer
 * report, then the smaller id.
 */
function hasBetterWindow(
  report: { event: RawEvent; window: Window },
  other: { event: RawEvent; window: Window },
): boolean {
  const order = ['inferred', 'assumed'];
  const [a, b] = [order.indexOf(report.window.basis), order.indexOf(other.window.basis)];
  if (a !== b) return a < b;
  if (report.event.date !== other.event.date) return report.event.date > other.event.date;
  return report.event.id < other.event.id;
}

/** Returns the expected response of /v1/unusual-volume. */
export function unusualVolume(facts: RawFacts) {
  const date = newestSession(facts);
  const yesterday = sessionBefore(date);
  const rows: { relative: Exact; change: Exact; row: { symbol: string } }[] = [];
  for (const { security, symbol, type, tags } of facts.profiles) {
    if (type === 'non_equity') continue;
    if (/preferred|warrant|right|unit/.test(tags)) continue;
    const bars = barsOf(facts, security, date);
    const index = bars.findIndex((bar) => bar.date === date);
    const [bar, previous] = [bars[index], bars[index - 1]];
    const mean = meanVolume(bars, yesterday);
    if (bar === undefined || previous === undefined || mean === null) continue;
    if (previous.date < sessionsFrom(date, -20) || bar.volume === null || mean.over === 0n)
      continue;
    const relative = over(bar.volume, mean);
    const dollars = times(bar.volume, bar.close);
    const change = percentAbove(previous.close, bar.close);
    if (compare(relative, whole(2)) < 0 || compare(bar.close, whole(1)) < 0) continue;
    if (compare(mean, whole(100_000)) < 0 || compare(dollars, whole(1_000_000)) < 0) continue;
    const row = {
      symbol,
      price: bar.display.close,
      changePercent: rounded(change, 4),
      volume: bar.display.volume,
      averageVolume: rounded(mean, 0),
      relativeVolume: rounded(relative, 4),
      volumeChangePercent: rounded(percentAbove(mean, bar.volume), 4),
      dollarVolume: rounded(dollars, 2),
      earnings: reportNear(facts, security, yesterday, date),
    };
    rows.push({ relative, change, row });
  }
  rows.sort((a, b) => compare(b.relative, a.relative) || (a.row.symbol < b.row.symbol ? -1 : 1));
  const side = (sign: number) =>
    rows
      .filter(({ change }) => compare(change, whole(0)) === sign)
      .slice(0, 100)
      .map(({ row }) => row);
  return { date, up: side(1), down: side(-1) };
}

function reportNear(facts: RawFacts, security: string, from: string, to: string) {
  const near = (facts.eventsBySecurity.get(security) ?? []).filter(
    ({ date, status, time }) =>
      date >= from && date <= to && (status === 'reported' || time !== 'time-not-supplied'),
  );
  const [newest] = near.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  return newest === undefined ? null : { date: newest.date, time: newest.time };
}

function ratioOf(bar: Bar, mean: Exact | null): number | null {
  if (bar.volume === null || mean === null || mean.over === 0n) return null;
  return rounded(over(bar.volume, mean), 4);
}
