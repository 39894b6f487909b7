import type { Measure } from './row.ts';

/** A well-known event: what sources call it and what it is. */
export interface KnownEvent {
  /** Begins every id of the event; must never change. */
  stem: string;
  name: string;
  /** Folded names of sources; several events may share one and are told apart by their figures. */
  aliases: readonly string[];
  measure: Measure | null;
  /** What its figures are counted in, when the text of a figure does not say. */
  unit: string | null;
  importance: 1 | 2 | 3;
  usMajor: boolean;
  cadence: Cadence;
  /** Folded name of the agency's release that it is part of. */
  release: string | null;
  /** A statistic that a U.S. agency publishes on working days alone. */
  isAgency: boolean;
  /** Its usual weekday (1 Monday) and New York minute, for events so regular that clocks are set by them. */
  anchor: { weekday: number; minute: number } | null;
}

/**
 * How the id ends. Monthly: the month that lies `lagDays` before the release, chosen so that early
 * and late releases fall into the same month. Quarterly: the quarter before the release's own, whose
 * months bring the first, second and third estimate. Dated: the day of the release itself.
 */
export type Cadence =
  | { kind: 'monthly'; lagDays: number; finalFromDay?: number }
  | { kind: 'quarterly'; hasVintages: boolean }
  | { kind: 'dated' };

/** A name as it is looked up: case, spaces and full stops do not matter. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll('.', '').replaceAll(/\s+/g, ' ').trim();
}
