import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { splitBetween } from '../../domain/split-between.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { deletePreSplitCaps } from '../quotes/split-caps.ts';
import { writeSnapshotSplits } from '../splits/snapshot-splits.ts';
import {
  compareSnapshots,
  DAYS_BACK,
  deleteLateRows,
  loadCloseJumps,
  loadSnapshots,
  loadUncountedFaults,
  saveServed,
  saveSession,
  servedRows,
  type SnapshotList,
  withholdRows,
  writeServedRows,
} from './snapshot-store.ts';
import { decideServed, isUnlike, relationOf, type Snapshot, SNAPSHOTS_BACK } from './snapshot.ts';

/** Called for symbols whose splits changed, in the transaction that writes those splits. */
export type OnSplit = (tx: Transaction, symbols: readonly string[]) => Promise<void>;

/**
 * Determines the sessions of changed snapshots in small transactions, and serves the rows of each
 * under its session: a list that shows an earlier session is served under that day, not under the
 * evening of its capture. The result depends only on the stored snapshots, not on their arrival
 * order, so snapshots near a changed one are processed again. A session's previous closes reveal
 * splits since the session before it; market caps based on the pre-split share count are deleted.
 * Returns the symbols that split and those whose market cap changed.
 */
export async function reconcileSnapshots(
  db: Db,
  list: SnapshotList,
  changed: readonly LocalDate[],
  market: MarketCalendar,
  onSplit: OnSplit,
): Promise<{ split: string[]; revalued: string[] }> {
  const dates = [...new Set([...changed, ...(await loadUncountedFaults(db, list))])];
  const sessions = await db.transaction((tx) => determineSessions(tx, list, dates, market));
  const work = sessionsToWrite(sessions, market);
  const split: string[] = [];
  for (const session of work) {
    const symbols = await db.transaction(async (tx) => {
      const some = await writeSession(tx, list, session);
      if (some.length > 0) await onSplit(tx, some);
      return some;
    });
    split.push(...symbols);
  }
  await db.transaction((tx) => saveAllServed(tx, list, sessions));
  const revalued: string[] = [];
  for (const { served, withheld } of work) {
    const shown = new Set(served === null ? withheld : [...withheld, served]);
    for (const snapshot of shown) {
      revalued.push(...(await db.transaction((tx) => deletePreSplitCaps(tx, list, snapshot))));
    }
  }
  return { split, revalued };
}

/** The snapshots of a list, each with the session under which it is to be served. */
interface Sessions {
  snapshots: readonly Snapshot[];
  /** Dates of snapshots whose rows or session changed. */
  touched: ReadonlySet<LocalDate>;
  /** Dates of snapshots that are stored as served differently, and their sessions before and now. */
  moved: ReadonlySet<LocalDate>;
  movedSessions: ReadonlySet<LocalDate>;
}

/**
 * Determines the session of each changed snapshot, and of later snapshots whose session was derived
 * from it, then which snapshot is served for each session.
 */
async function determineSessions(
  tx: Transaction,
  list: SnapshotList,
  changed: readonly LocalDate[],
  market: MarketCalendar,
): Promise<Sessions> {
  const snapshots = await loadSnapshots(tx, list, changed);
  const touched = new Set(changed);
  for (const [i, snapshot] of snapshots.entries()) {
    const earlier = earlierSnapshots(snapshots, i);
    if (!touched.has(snapshot.date) && !earlier.some(({ date }) => touched.has(date))) continue;
    const updated = await withSession(tx, list, snapshot, earlier, market);
    if (updated.contentDate !== snapshot.contentDate) touched.add(snapshot.date);
    snapshots[i] = updated;
    await saveSession(tx, list, updated);
  }
  const decided = decideServed(snapshots, (session) => market.nextTradingDay(session));
  const moved = new Set<LocalDate>();
  const movedSessions = new Set<LocalDate>();
  for (const [i, { date, servedDate, fault }] of decided.entries()) {
    const before = snapshots[i];
    if (before?.servedDate === servedDate && before.fault === fault) continue;
    moved.add(date);
    if (before?.servedDate != null) movedSessions.add(before.servedDate);
    if (servedDate !== null) movedSessions.add(servedDate);
  }
  return { snapshots: decided, touched, moved, movedSessions };
}

/** Returns the snapshots with which to compare snapshot number `index`, newest first. */
function earlierSnapshots(snapshots: readonly Snapshot[], index: number): Snapshot[] {
  const date = snapshots[index]?.date;
  if (date === undefined) return [];
  return snapshots
    .slice(Math.max(0, index - SNAPSHOTS_BACK), index)
    .filter((earlier) => earlier.date >= addDays(date, -DAYS_BACK))
    .toReversed();
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
  const unlike: LocalDate[] = [];
  for (const { date, contentDate } of earlier) {
    const comparison = await compareSnapshots(tx, list, snapshot.date, date);
    if (isUnlike(comparison)) unlike.push(date);
    const relation = relationOf(comparison);
    if (relation === null) continue;
    return {
      ...snapshot,
      unlike,
      contentDate: relation === 'next' ? market.nextTradingDay(contentDate) : contentDate,
      parentDate: date,
      relation,
    };
  }
  return { ...snapshot, unlike, contentDate: snapshot.date, parentDate: null, relation: null };
}

/** The rows and splits to write for one session. */
interface SessionWork {
  session: LocalDate;
  /** The snapshot served for the session, and the one served for the session before it. */
  served: Snapshot | null;
  previous: Snapshot | null;
  /** The newest earlier snapshot of another session, with which single rows are compared. */
  earlier: LocalDate | null;
  /** Snapshots that show the session and are not served under their own date. */
  withheld: readonly Snapshot[];
}

/**
 * Returns the sessions whose served rows may differ from the stored ones, oldest first: those of
 * touched snapshots, those served by another snapshot than before, and those compared with either.
 */
function sessionsToWrite(
  { snapshots, touched, moved, movedSessions }: Sessions,
  market: MarketCalendar,
): SessionWork[] {
  const servedAt = new Map<LocalDate, Snapshot>();
  for (const snapshot of snapshots) {
    if (snapshot.servedDate !== null) servedAt.set(snapshot.servedDate, snapshot);
  }
  const isChanged = (session: LocalDate): boolean => {
    const served = servedAt.get(session);
    return movedSessions.has(session) || (served !== undefined && touched.has(served.date));
  };
  const earlierOf = (served: Snapshot): LocalDate | null =>
    earlierSnapshots(snapshots, snapshots.indexOf(served)).find(
      ({ contentDate }) => contentDate < served.contentDate,
    )?.date ?? null;
  const withheld = snapshots.filter(
    ({ date, fault }) => fault !== null && (moved.has(date) || touched.has(date)),
  );
  const sessions = new Set([...movedSessions, ...servedAt.keys(), ...withheld.map(contentOf)]);
  return [...sessions].toSorted().flatMap((session): SessionWork[] => {
    const served = servedAt.get(session) ?? null;
    const earlier = served === null ? null : earlierOf(served);
    const before = market.previousTradingDay(session);
    const own = withheld.filter((snapshot) => contentOf(snapshot) === session);
    const isAffected =
      own.length > 0 ||
      isChanged(session) ||
      isChanged(before) ||
      (earlier !== null && touched.has(earlier));
    if (!isAffected) return [];
    const previous = servedAt.get(before) ?? null;
    return [{ session, served, previous, earlier, withheld: own }];
  });
}

function contentOf({ contentDate }: Snapshot): LocalDate {
  return contentDate;
}

/**
 * Saves how the touched and moved snapshots are served. Runs last, so that a crash before it leaves
 * them to be moved again with the next list.
 */
async function saveAllServed(
  tx: Transaction,
  list: SnapshotList,
  { snapshots, touched, moved }: Sessions,
): Promise<void> {
  for (const snapshot of snapshots) {
    if (touched.has(snapshot.date) || moved.has(snapshot.date)) {
      await saveServed(tx, list, snapshot);
    }
  }
}

/** Writes the rows and splits of one session. Returns the symbols whose splits changed. */
async function writeSession(
  tx: Transaction,
  list: SnapshotList,
  { session, served, previous, earlier, withheld }: SessionWork,
): Promise<string[]> {
  for (const snapshot of withheld) await withholdRows(tx, list, snapshot);
  const unserved = await deleteLateRows(tx, list, session, served);
  if (served !== null) await writeServedRows(tx, list, served, earlier);
  const jumps =
    served === null || previous === null
      ? []
      : await loadCloseJumps(tx, servedRows(list, served), servedRows(list, previous));
  const splits = jumps.flatMap(({ symbol, close, previousClose, seenAt }) => {
    const ratio = splitBetween(close, previousClose);
    return ratio === null ? [] : [{ symbol, ratio, seenAt }];
  });
  return writeSnapshotSplits(tx, { ...list, date: session, unserved }, splits);
}
