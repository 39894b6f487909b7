import { addMonths, type LocalDate } from '../../domain/local-date.ts';
import type { Vintage } from './delayed-releases.ts';
import type { ClockTime, Measure } from './row.ts';

/**
 * The values that a source reports for one economic release or event. An absent property means that
 * the source never reports it; null means that the source has no value. The entity key is the month
 * of `date` (`2026-11`), so that a merge reloads only the neighboring months.
 */
export interface EconomicObservation {
  /**
   * Name in the source's spelling. For `isRelease`, the name of an agency release with many
   * figures.
   */
  eventName: string;
  /** A whole release, such as `Employment Situation`, which includes several events. */
  isRelease?: boolean;
  country: string;
  /** Stem of a well-known event (`us-cpi-yoy`), set by `identifyEvents`; null for others. */
  stem: string | null;
  /** Starts at 1. Distinguishes identical names on one day that no table contains. */
  ordinal: number;
  /**
   * The date under which the source lists the event. For `isUndated`, an estimate that only selects
   * the month.
   */
  date: LocalDate;
  /**
   * True for figures of a source that publishes them without a release date. They are used only if
   * another source dates the release.
   */
  isUndated?: boolean;
  /**
   * True if the day follows from a rule of the source and is not yet announced. It gives way to an
   * announced day of the same event within a week.
   */
  isProjected?: boolean;
  /** Null unless `timeStatus` is `exact`. */
  time: ClockTime | null;
  timeStatus: 'exact' | 'all-day' | 'tentative';
  /**
   * `new-york`: date and time are in New York time. `uncalibrated`: the date may be off by one day
   * and the time by hours. Well-known weekly releases in the same capture calibrate both.
   */
  clock: 'new-york' | 'uncalibrated';
  /**
   * Identifies the list that contains the row. If a later capture of the list does not have the
   * row, it was withdrawn. Null for sources whose lists are not complete.
   */
  list: string | null;
  /** As published, with unit: `0.4%`, `1.25M`. */
  actual?: string | null;
  consensus?: string | null;
  previous?: string | null;
  revised?: string | null;
  unit?: string | null;
  measure?: Measure | null;
  /** `2026-10` or `2026-Q3`, if the source states it. */
  period?: string | null;
  /** The estimate of a quarter, if the source states it. */
  vintage?: Vintage | null;
  importance?: number | null;
  sourceUrl?: string | null;
}

/** Returns the entity key for rows on that day. */
export function monthKey(date: LocalDate): string {
  return date.slice(0, 7);
}

/** Returns the entity keys for the months between two first days, both inclusive. */
export function monthsBetween(first: LocalDate, last: LocalDate): string[] {
  const months: string[] = [];
  for (let day = first; day <= last; day = addMonths(day, 1)) months.push(monthKey(day));
  return months;
}
