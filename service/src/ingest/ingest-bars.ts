import { recordManyBars } from '../datasets/bars/record-many.ts';
import type { BarSource, DatedBar } from '../datasets/bars/record.ts';
import type { BarObservation, BarObservations } from '../datasets/bars/observation.ts';
import { type OnSplit, reconcileSnapshots } from '../datasets/bars/reconcile.ts';
import { barTopics } from '../datasets/bars/topics.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import { quoteTopics } from '../datasets/quotes/store.ts';
import { dateFiledSplits } from '../datasets/splits/filed-splits.ts';
import type { SplitObservation } from '../datasets/splits/observation.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { closeAt, openAt } from '../domain/market/market-day.ts';
import { newYorkDate, newYorkInstant } from '../domain/new-york.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Db } from '../storage/db.ts';
import { remergeSplits } from './merge-rows.ts';
import { countQuarantined, countRows, type DatasetReport } from './report.ts';

export interface BarDeps {
  db: Db;
  clock: Clock;
  market: MarketCalendar;
  onCommit(topics: ReadonlySet<string>): void;
}

/** After the close sources take a while to show it: closing auctions are counted last. */
const CLOSE_TAKES_MS = 15 * 60_000;

/**
 * Takes in the bars of one answer. A bar without a date is of the newest session that was over when
 * it was seen, provided that no session had begun since; one of a session that was not over is set
 * aside with its reason. Taking in the same bars again changes nothing.
 */
export async function ingestBars(
  deps: BarDeps,
  bars: BarObservations,
  source: Omit<BarSource, 'list'>,
  report: DatasetReport,
): Promise<void> {
  const { market } = deps;
  const { dated, early } = toDated(bars, source.observedAt, market);
  for (let i = 0; i < early; i++) countQuarantined(report, 'session-not-over');
  const moved = new Set<string>();
  const topics = new Set<string>();
  const onSplit: OnSplit = async (tx, symbols) => {
    const now = await takeVersionInstant(tx, deps.clock.now());
    const merged = await remergeSplits({ tx, now }, symbols, market);
    await writeChanges(tx, merged.changes, merged.topics, now);
    for (const topic of merged.topics) topics.add(topic);
  };
  const counts = await recordManyBars(deps.db, dated, { ...source, list: bars.list }, (chunk) => {
    for (const { symbol } of chunk) moved.add(symbol);
  });
  for (const outcome of ['new', 'changed', 'same'] as const) {
    countRows(report, outcome, counts[outcome]);
  }
  if (bars.list !== null && dated.length > 0) {
    const list = { provider: source.provider, feed: source.feed, list: bars.list };
    const days = [...new Set(dated.map(({ date }) => date))];
    const { split, revalued } = await reconcileSnapshots(deps.db, list, days, market, onSplit);
    for (const symbol of split) moved.add(symbol);
    for (const topic of quoteTopics(revalued)) topics.add(topic);
  }
  for (const symbol of await dateSplits(deps, dated, moved, onSplit)) moved.add(symbol);
  if (moved.size > 0) for (const topic of barTopics([...moved])) topics.add(topic);
  if (topics.size === 0) return;
  await deps.db.transaction((tx) => writeChanges(tx, [], topics, deps.clock.now()));
  deps.onCommit(topics);
}

/** Bars may show the day of a split that filings reveal without a day. */
async function dateSplits(
  { db, market }: BarDeps,
  bars: readonly DatedBar[],
  moved: ReadonlySet<string>,
  onSplit: OnSplit,
): Promise<string[]> {
  let [from, to] = [bars[0]?.date, bars[0]?.date];
  for (const { date } of bars) {
    if (from !== undefined && date < from) from = date;
    if (to !== undefined && date > to) to = date;
  }
  if (moved.size === 0 || from === undefined || to === undefined) return [];
  const days = { from, to };
  return db.transaction(async (tx) => {
    const symbols = await dateFiledSplits(tx, [...moved], days, market);
    if (symbols.length > 0) await onSplit(tx, symbols);
    return symbols;
  });
}

function toDated(
  { rows, isAdjusted, splits = [] }: BarObservations,
  observedAt: Instant,
  market: MarketCalendar,
): { dated: DatedBar[]; early: number } {
  const last = lastSessionOver(observedAt, market);
  const undated = hasOpened(observedAt, last, market) ? null : last;
  const basisOf = basisOfAsking(observedAt, last, splits, market);
  const dated = rows.flatMap((row: BarObservation): DatedBar[] => {
    const date = row.date ?? undated;
    if (date === null || date > last) return [];
    const basisDate = row.basisDate ?? (isAdjusted ? basisOf(row.symbol) : date);
    return [{ ...row, date, basisDate }];
  });
  return { dated, early: rows.length - dated.length };
}

/**
 * The day up to which adjusted prices count splits in, by symbol. During the session of a split they
 * do so before any bar of that day is over; before its open they do when the answer tells the split.
 */
function basisOfAsking(
  at: Instant,
  last: LocalDate,
  splits: readonly SplitObservation[],
  market: MarketCalendar,
): (symbol: string) => LocalDate {
  const today = newYorkDate(at);
  const open = openAt(market.day(today));
  const reached = open !== null && at >= open ? today : last;
  const newest = new Map<string, LocalDate>();
  for (const { symbol, date } of splits) {
    if (date <= today && date > (newest.get(symbol) ?? reached)) newest.set(symbol, date);
  }
  return (symbol) => newest.get(symbol) ?? reached;
}

/** The newest session that was over then, its closing prices out. */
function lastSessionOver(at: Instant, market: MarketCalendar): LocalDate {
  const today = newYorkDate(at);
  const close = closeAt(market.day(today));
  return close !== null && at >= close + CLOSE_TAKES_MS ? today : market.previousTradingDay(today);
}

/** Whether prices had begun to move since: from the first trades before the open on. */
function hasOpened(at: Instant, last: LocalDate, market: MarketCalendar): boolean {
  const day = market.day(market.nextTradingDay(last));
  return day.preMarketOpen !== null && at >= newYorkInstant(day.date, day.preMarketOpen);
}
