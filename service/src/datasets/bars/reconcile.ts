import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { splitBetween } from '../../domain/split-between.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { dropSplitCaps } from '../quotes/split-caps.ts';
import { writeNightSplits } from '../splits/snapshot-splits.ts';
import {
  compareNights,
  DAYS_BEFORE,
  holdRows,
  loadJumps,
  loadNights,
  type NightList,
  saveNight,
} from './snapshot-store.ts';
import { faultOf, type Night, NIGHTS_BACK, relationOf } from './snapshot.ts';

/**
 * Works out of which sessions the undated lists of these nights are, in small transactions, and
 * shows or holds their rows. What comes out is a function of all stored nights, whatever the order
 * in which they came: so the nights around a changed one are looked at again. Splits between a
 * night and the one before are told by its closes before; market values of the old shares are taken
 * back. `onSplit` is told of splits in the transaction that writes them. Returns the symbols that
 * split, and those of which the market value changed.
 */
export async function settleNights(
  db: Db,
  list: NightList,
  changed: readonly LocalDate[],
  market: MarketCalendar,
  onSplit: OnSplit,
): Promise<{ split: string[]; revalued: string[] }> {
  const touched = await db.transaction((tx) => traceNights(tx, list, changed, market));
  const nights = await db.transaction((tx) => judgeNights(tx, list, touched));
  const split: string[] = [];
  const revalued: string[] = [];
  for (const night of nights) {
    const before = market.previousTradingDay(night.date);
    const moved = await db.transaction(async (tx) => {
      const symbols = await showNight(tx, list, night, before);
      if (symbols.length > 0) await onSplit(tx, symbols);
      return symbols;
    });
    split.push(...moved);
    revalued.push(...(await db.transaction((tx) => dropSplitCaps(tx, list, night.date))));
  }
  return { split, revalued };
}

/** Told of symbols whose splits are known otherwise now. */
export type OnSplit = (tx: Transaction, symbols: readonly string[]) => Promise<void>;

/** Finds the session of each changed night and of those after it that build on one that moved. */
async function traceNights(
  tx: Transaction,
  list: NightList,
  changed: readonly LocalDate[],
  market: MarketCalendar,
): Promise<ReadonlySet<LocalDate>> {
  const nights = await loadNights(tx, list, changed);
  const touched = new Set(changed);
  for (const [i, night] of nights.entries()) {
    const since = addDays(night.date, -DAYS_BEFORE);
    const earlier = nights
      .slice(Math.max(0, i - NIGHTS_BACK), i)
      .filter(({ date }) => date >= since)
      .toReversed();
    if (!touched.has(night.date) && !earlier.some(({ date }) => touched.has(date))) continue;
    const traced = await trace(tx, list, { night, earlier, market });
    if (traced.contentDate !== night.contentDate) touched.add(night.date);
    nights[i] = traced;
    await saveNight(tx, list, traced);
  }
  return touched;
}

interface Tracing {
  night: Night;
  /** Newest first. */
  earlier: readonly Night[];
  market: MarketCalendar;
}

/** The newest earlier night that tells. Without any, the list is taken for what it should be. */
async function trace(
  tx: Transaction,
  list: NightList,
  { night, earlier, market }: Tracing,
): Promise<Night> {
  for (const parent of earlier) {
    const relation = relationOf(await compareNights(tx, list, night.date, parent.date));
    if (relation === null) continue;
    const { contentDate } = parent;
    return {
      ...night,
      contentDate: relation === 'same' ? contentDate : market.nextTradingDay(contentDate),
      parentDate: parent.date,
      relation,
    };
  }
  return { ...night, contentDate: night.date, parentDate: null, relation: null };
}

/** Which nights to show or hold anew: the changed ones, those whose verdict turned, the next ones. */
async function judgeNights(
  tx: Transaction,
  list: NightList,
  touched: ReadonlySet<LocalDate>,
): Promise<Night[]> {
  const nights = await loadNights(tx, list, [...touched]);
  const moved = new Set(touched);
  const judged: Night[] = [];
  for (const [i, night] of nights.entries()) {
    const quarantined = faultOf(night, nights.slice(i + 1, i + 1 + NIGHTS_BACK));
    if (quarantined !== night.quarantined) {
      moved.add(night.date);
      await saveNight(tx, list, { ...night, quarantined });
    }
    judged.push({ ...night, quarantined });
  }
  return judged.filter(({ date }, i) => {
    const before = judged[i - 1]?.date;
    return moved.has(date) || (before !== undefined && moved.has(before));
  });
}

async function showNight(
  tx: Transaction,
  list: NightList,
  night: Night,
  before: LocalDate,
): Promise<string[]> {
  await holdRows(tx, list, night, before);
  const jumps = night.quarantined === null ? await loadJumps(tx, list, night.date, before) : [];
  const splits = jumps.flatMap(({ symbol, close, previousClose, seenAt }) => {
    const ratio = splitBetween(close, previousClose);
    return ratio === null ? [] : [{ symbol, date: night.date, ratio, seenAt }];
  });
  return writeNightSplits(tx, list, night.date, splits);
}
