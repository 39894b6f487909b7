import type { LocalDate } from '../../domain/local-date.ts';

/**
 * An end-of-day snapshot: the undated price list for one market segment, captured on one evening.
 * It should show that day's session; `contentDate` is the session it actually shows.
 */
export interface Snapshot {
  date: LocalDate;
  /**
   * The session of the rows, derived from earlier snapshots; equal to `date` if they are
   * inconclusive.
   */
  contentDate: LocalDate;
  /** The earlier snapshot that determined the session. */
  parentDate: LocalDate | null;
  relation: SnapshotRelation | null;
  /**
   * Dates of earlier snapshots whose closes are not this snapshot's previous closes, although both
   * have rows of the same symbols.
   */
  unlike: readonly LocalDate[];
  /** Why the rows are not served under `date`; null if they are. */
  fault: SnapshotFault | null;
  /**
   * The session under which the rows are served; null if another snapshot of the same session is
   * served instead.
   */
  servedDate: LocalDate | null;
}

/**
 * `same`: the snapshot repeats the parent's closes. `revised`: it has the parent's previous closes
 * but other closes, so it shows the same session at another time. `next`: its previous closes are
 * the parent's closes.
 */
export type SnapshotRelation = 'same' | 'revised' | 'next';

/**
 * `stale-night`: the snapshot shows an earlier session. `not-the-close`: it was captured before the
 * session ended, because a later snapshot of the same session has other closes, or one of the next
 * session has other previous closes.
 */
export type SnapshotFault = 'stale-night' | 'not-the-close';

/**
 * Number of well-traded rows that occur in two snapshots, and how many of them have each relation.
 */
export interface SnapshotComparison {
  shared: number;
  same: number;
  /** Rows with the same previous close, whatever their close. */
  revised: number;
  next: number;
  /** Rows whose previous close is so near the earlier close that nothing happened to the shares. */
  near: number;
  /** Rows with `next` to the last digit, which almost all rows have after a final close. */
  exact: number;
}

/** Maximum number of earlier snapshots to compare with. */
export const SNAPSHOTS_BACK = 5;

/** Returns the feed name under which rows are stored that belong to an earlier session. */
export function lateFeedOf(feed: string): string {
  return `${feed}-late`;
}

/** Minimum number of rows that prove that a snapshot does not have the final closes. */
const UNLIKE_MIN = 5;

/** Returns true if the closes in the earlier snapshot are not the previous closes in this one. */
export function isUnlike({ near, same, revised, exact }: SnapshotComparison): boolean {
  return near >= UNLIKE_MIN && Math.max(same, revised, exact) * 2 <= near;
}

/**
 * Returns the relation that more than half of the rows have, or null if there is none. Prices that
 * did not change in the parent's session have both `revised` and `next`.
 */
export function relationOf(comparison: SnapshotComparison): SnapshotRelation | null {
  const { shared, same, revised, next } = comparison;
  if (same * 2 > shared) return 'same';
  if (revised * 2 > shared && revised > next) return 'revised';
  return next * 2 > shared ? 'next' : null;
}

/**
 * Decides which snapshot is served for each session, given all snapshots of a list in order of
 * their dates. The latest capture of a session has its final values. If later captures only repeat
 * an earlier one, the earlier one is served. A snapshot whose closes are not the previous closes of
 * the next session is not served.
 */
export function decideServed(
  snapshots: readonly Snapshot[],
  nextSession: (session: LocalDate) => LocalDate,
): Snapshot[] {
  const contradicted = contradictedBy(snapshots, nextSession);
  const servedBySession = new Map<LocalDate, LocalDate>();
  for (const [session, captures] of Map.groupBy(snapshots, ({ contentDate }) => contentDate)) {
    const byDate = new Map(captures.map((capture) => [capture.date, capture]));
    let served = captures.findLast(({ date }) => !contradicted.has(date));
    while (served?.relation === 'same' && served.parentDate !== null) {
      const parent = byDate.get(served.parentDate);
      if (parent === undefined) break;
      served = parent;
    }
    if (served !== undefined) servedBySession.set(session, served.date);
  }
  return snapshots.map((snapshot) => {
    const isServed = servedBySession.get(snapshot.contentDate) === snapshot.date;
    return {
      ...snapshot,
      servedDate: isServed ? snapshot.contentDate : null,
      fault: faultOf(snapshot, isServed),
    };
  });
}

/** Returns the dates of snapshots that a snapshot of the next session contradicts. */
function contradictedBy(
  snapshots: readonly Snapshot[],
  nextSession: (session: LocalDate) => LocalDate,
): ReadonlySet<LocalDate> {
  const sessions = new Map(snapshots.map(({ date, contentDate }) => [date, contentDate]));
  const contradicted = new Set<LocalDate>();
  for (const { contentDate, unlike } of snapshots) {
    for (const date of unlike) {
      const session = sessions.get(date);
      if (session !== undefined && nextSession(session) === contentDate) contradicted.add(date);
    }
  }
  return contradicted;
}

function faultOf({ date, contentDate }: Snapshot, isServed: boolean): SnapshotFault | null {
  if (contentDate !== date) return 'stale-night';
  return isServed ? null : 'not-the-close';
}
