import type { LocalDate } from '../../domain/local-date.ts';

/**
 * One evening's undated list of prices of one part of a market: the session it should be of, and
 * what its rows show.
 */
export interface Night {
  date: LocalDate;
  /** The session that the rows are of, as far as earlier nights tell; else `date`. */
  contentDate: LocalDate;
  /** The earlier night that told, and how. */
  parentDate: LocalDate | null;
  relation: Relation | null;
  quarantined: NightFault | null;
}

/** `same`: the parent's prices once more; `next`: closes before that are the parent's closes. */
export type Relation = 'same' | 'next';

/** `stale-night`: of an earlier session; `not-the-close`: seen before that session was over. */
export type NightFault = 'stale-night' | 'not-the-close';

/** How many rows that trade well two nights share, and how many of them stand so to each other. */
export interface Comparison {
  shared: number;
  same: number;
  next: number;
}

/** Nights before one that may tell its session. */
export const NIGHTS_BACK = 5;

/** Which relation more than half of the rows show. */
export function relationOf({ shared, same, next }: Comparison): Relation | null {
  if (same * 2 > shared) return 'same';
  return next * 2 > shared ? 'next' : null;
}

/**
 * Why a night is not to be shown, given the nights after it. A later list that is one session
 * behind shows the true closes of this night's session: when this list shows other ones, it was
 * seen before the close.
 */
export function faultOf(night: Night, later: readonly Night[]): NightFault | null {
  if (night.contentDate !== night.date) return 'stale-night';
  const isContradicted = later.some(
    ({ contentDate, relation, parentDate }) =>
      contentDate === night.date &&
      relation === 'next' &&
      parentDate !== null &&
      parentDate < night.date,
  );
  return isContradicted ? 'not-the-close' : null;
}
