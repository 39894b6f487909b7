import type { LocalDate } from '../../domain/local-date.ts';
import type { ClockTime, Measure } from './row.ts';

/**
 * What a source says of one economic release or event. A property that is absent means the source
 * does not speak of it; null means it speaks and has no value. Filed under the month of `date`
 * (`2026-11`), so that a merge reloads the months around it alone.
 */
export interface EconomicObservation {
  /** As the source writes it; for `isRelease` the name of an agency's release of many figures. */
  eventName: string;
  /** A whole release, such as `Employment Situation`: stands for each event that is part of it. */
  isRelease?: boolean;
  country: string;
  /** Stem of a well-known event (`us-cpi-yoy`), as told by `identifyEvents`; null for others. */
  stem: string | null;
  /** From 1 up: tells apart equal names of one day that no table knows. */
  ordinal: number;
  /** The day under which the source lists it. */
  date: LocalDate;
  /** Null unless `timeStatus` is `exact`. */
  time: ClockTime | null;
  timeStatus: 'exact' | 'all-day' | 'tentative';
  /**
   * `new-york`: date and time are New York's. `uncalibrated`: the source's day may be off by one
   * and its clock by hours; both are settled by well-known weekly releases of the same capture.
   */
  clock: 'new-york' | 'uncalibrated';
  /**
   * Names the list the row stood in. When a later capture of the same list lacks a row, it was
   * withdrawn; null for sources whose lists are not complete.
   */
  list: string | null;
  /** As published, with unit: `0.4%`, `1.25M`. */
  actual?: string | null;
  consensus?: string | null;
  previous?: string | null;
  revised?: string | null;
  unit?: string | null;
  measure?: Measure | null;
  /** `2026-10` or `2026-Q3`, when the source names it. */
  period?: string | null;
  importance?: number | null;
  sourceUrl?: string | null;
}

/** The subject under which rows of that day are filed. */
export function monthKey(date: LocalDate): string {
  return date.slice(0, 7);
}
