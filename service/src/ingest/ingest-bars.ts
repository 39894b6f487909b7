import type { Topic } from '../datasets/topics.gen.ts';
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
import type { Db, Transaction } from '../storage/db.ts';
import { remergeDisputed, remergeSplits } from './merge-rows.ts';
import { countQuarantined, countRows, type DatasetReport } from './report.ts';

export interface BarDeps {
  db: Db;
  clock: Clock;
  market: MarketCalendar;
  onCommit(topics: ReadonlySet<Topic>): void;
}

/** Sources publish closing prices with a delay, because closing auctions run past the close. */
const CLOSE_DELAY_MS = 15 * 60_000;

/**
 * Ingests the bars in one response. A bar without a date belongs to the latest session completed
 * when the response was observed, unless trading had resumed by then. A bar from an unfinished
 * session is quarantined with its reason. Ingesting the same bars again changes nothing.
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
  const changedSymbols = new Set<string>();
  const topics = new Set<Topic>();
  const remerge = async (
    tx: Transaction,
    symbols: readonly string[],
    merge: typeof remergeSplits,
  ): Promise<void> => {
    const now = await takeVersionInstant(tx, deps.clock.now());
    const merged = await merge({ tx, now }, symbols, market);
    await writeChanges(tx, merged.changes, merged.topics, now);
    for (const topic of merged.topics) topics.add(topic);
  };
  const onSplit: OnSplit = (tx, symbols) => remerge(tx, symbols, remergeSplits);
  const counts = await recordManyBars(deps.db, dated, { ...source, list: bars.list }, (chunk) => {
    for (const { symbol } of chunk) changedSymbols.add(symbol);
  });
  for (const outcome of ['new', 'changed', 'same'] as const) {
    countRows(report, outcome, counts[outcome]);
  }
  if (bars.list !== null && dated.length > 0) {
    const list = { provider: source.provider, feed: source.feed, list: bars.list };
    const days = [...new Set(dated.map(({ date }) => date))];
    const { split, revalued } = await reconcileSnapshots(deps.db, list, days, market, onSplit);
    for (const symbol of split) changedSymbols.add(symbol);
    for (const topic of quoteTopics(revalued)) topics.add(topic);
  }
  for (const symbol of await dateSplits(deps, dated, changedSymbols, onSplit))
    changedSymbols.add(symbol);
  if (dated.some(({ marketCap }) => marketCap !== null)) {
    await deps.db.transaction((tx) => remerge(tx, [...changedSymbols], remergeDisputed));
  }
  if (changedSymbols.size > 0) {
    for (const topic of barTopics([...changedSymbols])) topics.add(topic);
  }
  if (topics.size === 0) return;
  await deps.db.transaction((tx) => writeChanges(tx, [], topics, deps.clock.now()));
  deps.onCommit(topics);
}

/** Determines, from jumps in the bars, the dates of splits that filings report without a date. */
async function dateSplits(
  { db, market }: BarDeps,
  bars: readonly DatedBar[],
  changedSymbols: ReadonlySet<string>,
  onSplit: OnSplit,
): Promise<string[]> {
  let [from, to] = [bars[0]?.date, bars[0]?.date];
  for (const { date } of bars) {
    if (from !== undefined && date < from) from = date;
    if (to !== undefined && date > to) to = date;
  }
  if (changedSymbols.size === 0 || from === undefined || to === undefined) return [];
  const days = { from, to };
  return db.transaction(async (tx) => {
    const symbols = await dateFiledSplits(tx, [...changedSymbols], days, market);
    if (symbols.length > 0) await onSplit(tx, symbols);
    return symbols;
  });
}

function toDated(
  { rows, isAdjusted, splits = [] }: BarObservations,
  observedAt: Instant,
  market: MarketCalendar,
): { dated: DatedBar[]; early: number } {
  const last = lastCompleteSession(observedAt, market);
  const undated = hasOpened(observedAt, last, market) ? null : last;
  const basisOf = adjustmentBasis(observedAt, last, splits, market);
  const dated = rows.flatMap((row: BarObservation): DatedBar[] => {
    const date = row.date ?? undated;
    if (date === null || date > last) return [];
    const basisDate = row.basisDate ?? (isAdjusted ? basisOf(row.symbol) : date);
    return [{ ...row, date, basisDate }];
  });
  return { dated, early: rows.length - dated.length };
}

/**
 * Returns the date up to which adjusted prices include splits, by symbol. During the session on the
 * day of a split, prices already include it, although no bar for that day is complete. Before the
 * open, they include it if the response lists the split.
 */
function adjustmentBasis(
  at: Instant,
  last: LocalDate,
  splits: readonly SplitObservation[],
  market: MarketCalendar,
): (symbol: string) => LocalDate {
  const today = newYorkDate(at);
  const openedAt = openAt(market.day(today));
  const defaultDate = openedAt !== null && at >= openedAt ? today : last;
  const newest = new Map<string, LocalDate>();
  for (const { symbol, date } of splits) {
    if (date <= today && date > (newest.get(symbol) ?? defaultDate)) newest.set(symbol, date);
  }
  return (symbol) => newest.get(symbol) ?? defaultDate;
}

/** Returns the latest session whose closing prices had been published by that time. */
function lastCompleteSession(at: Instant, market: MarketCalendar): LocalDate {
  const today = newYorkDate(at);
  const close = closeAt(market.day(today));
  return close !== null && at >= close + CLOSE_DELAY_MS ? today : market.previousTradingDay(today);
}

/** Returns true if trading had resumed after that session, starting with the pre-market. */
function hasOpened(at: Instant, last: LocalDate, market: MarketCalendar): boolean {
  const day = market.day(market.nextTradingDay(last));
  return day.preMarketOpen !== null && at >= newYorkInstant(day.date, day.preMarketOpen);
}
