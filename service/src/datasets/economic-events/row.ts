import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';

/** `HH:MM`, 00:00 to 23:59. */
export type ClockTime = string;
export type Measure = 'mom' | 'qoq' | 'yoy' | 'level';
export type TimeStatus = 'exact' | 'all-day' | 'tentative';

/**
 * The canonical facts of one economic event. Values are stored as published, and as decimal text.
 */
export interface EconomicEvent {
  /**
   * Stem and period, or stem and day: `us-cpi-yoy:2026-10`, `us-initial-jobless-claims:2026-11-19`.
   */
  id: string;
  country: string;
  /** ISO 3166-1 alpha-2; `EU` for the euro area. */
  countryCode: string | null;
  eventName: string;
  /** New York day of the release. */
  date: LocalDate;
  /** New York time, or `24H` if it is not exact. */
  time: ClockTime;
  scheduledAt: Instant | null;
  timeStatus: TimeStatus;
  actual: string | null;
  consensus: string | null;
  previous: string | null;
  revised: string | null;
  actualValue: string | null;
  consensusValue: string | null;
  previousValue: string | null;
  revisedValue: string | null;
  /** Unit of the four values. */
  unit: string | null;
  measure: Measure | null;
  period: string | null;
  /** 1 (low) to 3 (high). */
  importance: number;
  usMajor: boolean;
  sourceUrl: string | null;
  provenance: Provenance;
  /** Time of the observation that last changed any field above. */
  updatedAt: Instant;
}

/**
 * Sources for the schedule and for each figure, with the instants since which they have been
 * unchanged.
 */
export type Provenance = Record<string, { provider: string; feed: string; seenAt: Instant }>;
