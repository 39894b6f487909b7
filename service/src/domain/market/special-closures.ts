import type { LocalDate } from '../local-date.ts';

/** Unscheduled full-day closures since 1970. */
const CLOSURES: ReadonlyMap<string, string> = new Map([
  ['1972-12-28', 'Day of mourning for Harry S. Truman'],
  ['1973-01-25', 'Day of mourning for Lyndon B. Johnson'],
  ['1977-07-14', 'New York City blackout'],
  ['1985-09-27', 'Hurricane Gloria'],
  ['1994-04-27', 'Day of mourning for Richard Nixon'],
  ['2001-09-11', 'September 11 attacks'],
  ['2001-09-12', 'September 11 attacks'],
  ['2001-09-13', 'September 11 attacks'],
  ['2001-09-14', 'September 11 attacks'],
  ['2004-06-11', 'Day of mourning for Ronald Reagan'],
  ['2007-01-02', 'Day of mourning for Gerald Ford'],
  ['2012-10-29', 'Hurricane Sandy'],
  ['2012-10-30', 'Hurricane Sandy'],
  ['2018-12-05', 'Day of mourning for George H. W. Bush'],
  ['2025-01-09', 'Day of mourning for Jimmy Carter'],
]);

/** The reason for an unscheduled closure; null if there was none. */
export function specialClosure(date: LocalDate): string | null {
  return CLOSURES.get(date) ?? null;
}
