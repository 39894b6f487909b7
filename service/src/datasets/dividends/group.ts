import { compareDecimals, decimalPlaces, roundTo } from '../../domain/decimal.ts';
import { daysBetween } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import {
  latest,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import type { DividendObservation, DividendType } from './observation.ts';

/** The newest valid observation of a history. */
export interface DividendRow {
  history: ObservationHistory<DividendObservation>;
  observation: Observation<DividendObservation>;
  /**
   * All valid values of the history, so that a corrected amount also matches by its earlier values.
   */
  values: readonly DividendObservation[];
}

/**
 * Ex-dates at most this many days apart belong to one dividend: even the most frequent payers go ex
 * only every seven days.
 */
const NEAR_DAYS = 4;
/** Minimum number of decimal places. Every source reports amounts to at least whole cents. */
const PLACES_MIN = 2;
/** Maximum number of days by which a correction moves an ex-date. */
const MOVED_DAYS_MAX = 45;

/**
 * Groups the observations of each dividend. Observations of one dividend have the same type and one
 * of the following:
 * - the same ex-date, without conflicting amounts (two rows from one feed with the same ex-date are
 *   always two dividends);
 * - ex-dates within four days, and the same amount;
 * - ex-dates further apart, the same amount, and the same record or payment date;
 * - for two feeds, close ex-dates and the same record or payment date with any amounts, unless one
 *   of the feeds lists several dividends on that day;
 * - for two feeds, the same ex-date and amounts that differ only by rounding, with the same
 *   exception. Rows in one response are never the same dividend.
 */
export function groupDividends(rows: readonly DividendRow[]): DividendRow[][] {
  const perDay = Map.groupBy(rows, (row) => `${feedOf(row)} ${row.observation.fields.exDate}`);
  const crowded = new Set([...perDay.values()].filter(({ length }) => length > 1).flat());
  const groups: DividendRow[][] = [];
  for (const row of rows.toSorted(byFirstSeen)) {
    const matching = groups
      .filter((group) => group.some((other) => isSame(row, other, crowded)))
      .filter((group) => !group.some((other) => areInOneResponse(row, other)))
      .toSorted((a, b) => distance(row, a) - distance(row, b));
    const [nearest] = matching;
    if (nearest === undefined) groups.push([row]);
    else nearest.push(row);
  }
  return groups;
}

function isSame(a: DividendRow, b: DividendRow, crowded: ReadonlySet<DividendRow>): boolean {
  const isOneFeed = feedOf(a) === feedOf(b);
  const isCrowded = isOneFeed || crowded.has(a) || crowded.has(b);
  return a.values.some((left) =>
    b.values.some((right) => {
      if (!haveSameType(left.type ?? null, right.type ?? null)) return false;
      if (isOneFeed && left.exDate === right.exDate) return false;
      return agree(left, right, isCrowded) || (!isCrowded && areRounded(left, right));
    }),
  );
}

/**
 * Returns whether two rows are in one response. Such rows are two dividends, however similar they
 * are, because a source lists a moved dividend only once.
 */
function areInOneResponse(a: DividendRow, b: DividendRow): boolean {
  if (feedOf(a) !== feedOf(b)) return false;
  const instants = new Set(a.history.observations.map(({ at }) => at));
  return b.history.observations.some(({ at }) => instants.has(at));
}

/**
 * Returns whether amounts and dates fit a single dividend. With `isCrowded`, the amounts must be
 * equal.
 */
function agree(left: DividendObservation, right: DividendObservation, isCrowded: boolean): boolean {
  const days = Math.abs(daysBetween(left.exDate, right.exDate));
  const sameAmount = areEqualAmounts(left.amount, right.amount);
  const isDayShared =
    isShared(left.paymentDate, right.paymentDate) || isShared(left.recordDate, right.recordDate);
  if (days > NEAR_DAYS) return days <= MOVED_DAYS_MAX && sameAmount === true && isDayShared;
  if (sameAmount === true) return true;
  if (sameAmount === null) return days === 0 || isDayShared;
  return !isCrowded && isDayShared && (left.type ?? 'cash') === (right.type ?? 'cash');
}

/**
 * Returns whether two feeds report the same ex-date and one of them drops decimals, such as 0.087
 * for 0.08745.
 */
function areRounded(left: DividendObservation, right: DividendObservation): boolean {
  const [a, b] = [left.amount ?? null, right.amount ?? null];
  if (a === null || b === null || left.exDate !== right.exDate) return false;
  const places = Math.max(PLACES_MIN, Math.min(decimalPlaces(a), decimalPlaces(b)));
  return compareDecimals(roundTo(a, places), roundTo(b, places)) === 0;
}

/**
 * Returns whether the types are compatible. A calendar without types, or one that uses `cash` for
 * every cash payment, does not identify the type.
 */
function haveSameType(a: DividendType | null, b: DividendType | null): boolean {
  return a === b || a === null || b === null || a === 'cash' || b === 'cash';
}

/** Returns whether the amounts are equal; null if either is unknown. */
function areEqualAmounts(a: string | null = null, b: string | null = null): boolean | null {
  return a === null || b === null ? null : compareDecimals(a, b) === 0;
}

function isShared(a: string | null = null, b: string | null = null): boolean {
  return a !== null && a === b;
}

function distance(row: DividendRow, group: readonly DividendRow[]): number {
  return Math.min(
    ...group.map((other) => {
      const days = daysBetween(row.observation.fields.exDate, other.observation.fields.exDate);
      const { amount: left } = row.observation.fields;
      const isOther = areEqualAmounts(left, other.observation.fields.amount) === false;
      return Math.abs(days) * 2 + (isOther ? 1 : 0);
    }),
  );
}

function feedOf({ history: { provider, feed } }: DividendRow): string {
  return `${provider}/${feed}`;
}

/**
 * Orders by first observation, so that later rows join known ones. Ties are broken by name, so that
 * the order is total.
 */
function byFirstSeen(a: DividendRow, b: DividendRow): number {
  return firstSeenAt(a) - firstSeenAt(b) || compareText(nameOf(a), nameOf(b));
}

export function firstSeenAt({ history }: DividendRow): number {
  return history.observations[0]?.at ?? latest(history).at;
}

export function nameOf({ history }: DividendRow): string {
  return `${history.provider}/${history.feed}/${history.entityKey}/${history.naturalKey}`;
}
