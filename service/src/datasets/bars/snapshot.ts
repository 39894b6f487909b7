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
  fault: SnapshotFault | null;
}

/**
 * `same`: the snapshot repeats the parent's prices. `next`: its previous closes are the parent's
 * closes.
 */
export type SnapshotRelation = 'same' | 'next';

/**
 * `stale-night`: the snapshot shows an earlier session. `not-the-close`: it was captured before the
 * session ended.
 */
export type SnapshotFault = 'stale-night' | 'not-the-close';

/**
 * Number of well-traded rows that occur in two snapshots, and how many of them have each relation.
 */
export interface SnapshotComparison {
  shared: number;
  same: number;
  next: number;
}

/** Maximum number of earlier snapshots to compare with. */
export const SNAPSHOTS_BACK = 5;

/** Returns the relation that more than half of the rows have, or null if there is none. */
export function relationOf({ shared, same, next }: SnapshotComparison): SnapshotRelation | null {
  if (same * 2 > shared) return 'same';
  return next * 2 > shared ? 'next' : null;
}

/**
 * Returns the reason not to use a snapshot, based on later snapshots, or null if there is none. A
 * later snapshot that is one session behind shows the official closes for this snapshot's session.
 * If this snapshot has different closes, it was captured before the session ended.
 */
export function faultOf(snapshot: Snapshot, later: readonly Snapshot[]): SnapshotFault | null {
  if (snapshot.contentDate !== snapshot.date) return 'stale-night';
  const isContradicted = later.some(
    ({ contentDate, relation, parentDate }) =>
      contentDate === snapshot.date &&
      relation === 'next' &&
      parentDate !== null &&
      parentDate < snapshot.date,
  );
  return isContradicted ? 'not-the-close' : null;
}
