import type { LocalDate } from '../../domain/local-date.ts';

/**
 * An end-of-day snapshot: the undated price list of one part of a market, captured on one evening.
 * It should be of the session of that day; `contentDate` is the session it is actually of.
 */
export interface Snapshot {
  date: LocalDate;
  /** The session of the rows according to earlier snapshots; `date` if they are inconclusive. */
  contentDate: LocalDate;
  /** The earlier snapshot that determined the session. */
  parentDate: LocalDate | null;
  relation: SnapshotRelation | null;
  fault: SnapshotFault | null;
}

/**
 * `same`: repeats the prices of the parent. `next`: its previous closes are the parent's closes.
 */
export type SnapshotRelation = 'same' | 'next';

/** `stale-night`: of an earlier session. `not-the-close`: captured before the session ended. */
export type SnapshotFault = 'stale-night' | 'not-the-close';

/** Number of well-traded rows in two snapshots, and how many of them have each relation. */
export interface SnapshotComparison {
  shared: number;
  same: number;
  next: number;
}

/** Number of earlier snapshots that are compared. */
export const SNAPSHOTS_BACK = 5;

/** The relation of more than half of the rows. */
export function relationOf({ shared, same, next }: SnapshotComparison): SnapshotRelation | null {
  if (same * 2 > shared) return 'same';
  return next * 2 > shared ? 'next' : null;
}

/**
 * The reason not to use a snapshot, given the later ones. A later list that is one session behind
 * has the true closes of this snapshot's session. If this one has others, it was captured before
 * the close.
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
