import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { splitBetween } from '../../domain/split-between.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { deletePreSplitCaps } from '../quotes/split-caps.ts';
import { writeSnapshotSplits } from '../splits/snapshot-splits.ts';
import {
  compareSnapshots,
  DAYS_BACK,
  loadCloseJumps,
  loadSnapshots,
  quarantineRows,
  saveSnapshot,
  type SnapshotList,
} from './snapshot-store.ts';
import { faultOf, relationOf, type Snapshot, SNAPSHOTS_BACK } from './snapshot.ts';

/** Called for symbols whose splits changed, in the transaction that writes those splits. */
export type OnSplit = (tx: Transaction, symbols: readonly string[]) => Promise<void>;

/**
 * Determines the sessions of changed snapshots in small transactions, and marks their rows as
 * usable or quarantined. The result depends only on the stored snapshots, not on their arrival
 * order, so snapshots near a changed one are processed again. A snapshot's previous closes reveal
 * splits since the snapshot before it; market caps based on the pre-split share count are deleted.
 * Returns the symbols that split and those whose market cap changed.
 */
export async function reconcileSnapshots(
  db: Db,
  list: SnapshotList,
  changed: readonly LocalDate[],
  market: MarketCalendar,
  onSplit: OnSplit,
): Promise<{ split: string[]; revalued: string[] }> {
  const touched = await db.transaction((tx) => determineSessions(tx, list, changed, market));
  const snapshots = await db.transaction((tx) => updateFaults(tx, list, touched));
  const split: string[] = [];
  const revalued: string[] = [];
  for (const snapshot of snapshots) {
    const previousDate = market.previousTradingDay(snapshot.date);
    const splitSymbols = await db.transaction(async (tx) => {
      const symbols = await updateRows(tx, list, snapshot, previousDate);
      if (symbols.length > 0) await onSplit(tx, symbols);
      return symbols;
    });
    split.push(...splitSymbols);
    revalued.push(...(await db.transaction((tx) => deletePreSplitCaps(tx, list, snapshot.date))));
  }
  return { split, revalued };
}

/**
 * Determines the session of each changed snapshot, and of later snapshots whose session was derived
 * from it.
 */
async function determineSessions(
  tx: Transaction,
  list: SnapshotList,
  changed: readonly LocalDate[],
  market: MarketCalendar,
): Promise<ReadonlySet<LocalDate>> {
  const snapshots = await loadSnapshots(tx, list, changed);
  const touched = new Set(changed);
  for (const [i, snapshot] of snapshots.entries()) {
    const since = addDays(snapshot.date, -DAYS_BACK);
    const earlier = snapshots
      .slice(Math.max(0, i - SNAPSHOTS_BACK), i)
      .filter(({ date }) => date >= since)
      .toReversed();
    if (!touched.has(snapshot.date) && !earlier.some(({ date }) => touched.has(date))) continue;
    const updated = await withSession(tx, list, snapshot, earlier, market);
    if (updated.contentDate !== snapshot.contentDate) touched.add(snapshot.date);
    snapshots[i] = updated;
    await saveSnapshot(tx, list, updated);
  }
  return touched;
}

/**
 * Derives the session from the newest earlier snapshot with a clear relation to this one. If there
 * is none, the session is the snapshot's date.
 */
async function withSession(
  tx: Transaction,
  list: SnapshotList,
  snapshot: Snapshot,
  earlier: readonly Snapshot[],
  market: MarketCalendar,
): Promise<Snapshot> {
  for (const { date, contentDate } of earlier) {
    const relation = relationOf(await compareSnapshots(tx, list, snapshot.date, date));
    if (relation === null) continue;
    return {
      ...snapshot,
      contentDate: relation === 'same' ? contentDate : market.nextTradingDay(contentDate),
      parentDate: date,
      relation,
    };
  }
  return { ...snapshot, contentDate: snapshot.date, parentDate: null, relation: null };
}

/**
 * Returns the snapshots whose rows need an update: the changed snapshots and the snapshot that
 * follows each of them.
 */
async function updateFaults(
  tx: Transaction,
  list: SnapshotList,
  touched: ReadonlySet<LocalDate>,
): Promise<Snapshot[]> {
  const snapshots = await loadSnapshots(tx, list, [...touched]);
  const changed = new Set(touched);
  const updated: Snapshot[] = [];
  for (const [i, snapshot] of snapshots.entries()) {
    const fault = faultOf(snapshot, snapshots.slice(i + 1, i + 1 + SNAPSHOTS_BACK));
    if (fault !== snapshot.fault) {
      changed.add(snapshot.date);
      await saveSnapshot(tx, list, { ...snapshot, fault });
    }
    updated.push({ ...snapshot, fault });
  }
  return updated.filter(({ date }, i) => {
    const previous = updated[i - 1]?.date;
    return changed.has(date) || (previous !== undefined && changed.has(previous));
  });
}

async function updateRows(
  tx: Transaction,
  list: SnapshotList,
  snapshot: Snapshot,
  previousDate: LocalDate,
): Promise<string[]> {
  await quarantineRows(tx, list, snapshot, previousDate);
  const { date, fault } = snapshot;
  const jumps = fault === null ? await loadCloseJumps(tx, list, date, previousDate) : [];
  const splits = jumps.flatMap(({ symbol, close, previousClose, seenAt }) => {
    const ratio = splitBetween(close, previousClose);
    return ratio === null ? [] : [{ symbol, ratio, seenAt }];
  });
  return writeSnapshotSplits(tx, list, date, splits);
}
