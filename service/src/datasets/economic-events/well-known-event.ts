import type { Measure } from './row.ts';

/** A well-known event with the names that sources use for it. */
export interface WellKnownEvent {
  /** Prefix of every id for the event. It must never change. */
  stem: string;
  name: string;
  /**
   * Folded names used by sources. Several events may share a name and are distinguished by their
   * figures.
   */
  aliases: readonly string[];
  measure: Measure | null;
  /** Unit for its figures, if their text does not include one. */
  unit: string | null;
  importance: 1 | 2 | 3;
  usMajor: boolean;
  cadence: Cadence;
  /** Folded name of the agency's release that includes the event. */
  release: string | null;
  /** True for a statistic that a U.S. agency publishes only on working days. */
  isAgency: boolean;
  /**
   * Usual weekday (1 is Monday) and New York minute for an event that is regular enough to
   * calibrate clocks.
   */
  anchor: { weekday: number; minute: number } | null;
}

/**
 * Suffix of the id. Monthly: the month `lagDays` before the release, chosen so that early and late
 * releases yield the same month. Quarterly: the quarter before the release; the first, second and
 * third estimates are published in successive months. Dated: the release date.
 */
export type Cadence =
  | { kind: 'monthly'; lagDays: number; finalFromDay?: number }
  | { kind: 'quarterly'; hasVintages: boolean }
  | { kind: 'dated' };

/** Returns the lookup form of a name, which ignores case, spaces and periods. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll('.', '').replaceAll(/\s+/g, ' ').trim();
}
