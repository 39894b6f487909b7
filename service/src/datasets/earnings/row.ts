import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { FieldSource } from '../versions/versioned-table.ts';
import type { DateInterval } from './projection/day-distribution.ts';
import type { Consensus, EpsConsensus, GuidanceMetric, SessionMarker } from './observation.ts';

export type { FieldSource };

/** The canonical facts of one earnings report. Amounts are decimal text in whole units. */
export interface EarningsEvent {
  /** `ern_` and a hash of the security and fiscal period. Stays the same when the date changes. */
  id: string;
  securityId: string;
  symbol: string;
  name: string | null;
  date: LocalDate;
  time: SessionMarker;
  dateStatus: DateStatus;
  epsEstimate: string | null;
  eps: string | null;
  /** Diluted EPS as filed, in `currency`, on today's share basis. */
  epsGaap: string | null;
  revenueEstimate: string | null;
  revenue: string | null;
  estimateCount: number | null;
  epsYearAgo: string | null;
  fiscalYear: number | null;
  fiscalQuarter: number | null;
  fiscalPeriodEnd: LocalDate | null;
  /** Basis of `eps`, or of `epsEstimate` before the report. */
  epsBasis: EpsBasis | null;
  /** False if `eps` and `epsEstimate` may be on different bases, so that no surprise is shown. */
  isEpsComparable: boolean;
  currency: string;
  /** Time when the results were published; for a U.S. filer, the acceptance time of its 8-K. */
  reportedAt: Instant | null;
  /**
   * Time when the EPS consensus, or else the revenue consensus, was last seen before the release.
   * Null while it can still change, or if it was first seen with the results.
   */
  estimateAsOf: Instant | null;
  /** Like `estimateAsOf`, but only for the revenue consensus. */
  revenueEstimateAsOf: Instant | null;
  /** Start of the conference call about the results. */
  callAt: Instant | null;
  /** The analysts' estimates in detail, as last seen before the release. */
  estimates: EarningsEstimates | null;
  /** Ranges that the company expects, as its press release states them; null if it states none. */
  guidance: Guidance | null;
  /**
   * True if the session was captured ahead of the release, so that it takes precedence over a later
   * filing.
   */
  markerAhead: boolean;
  /** Product of all splits since the report. */
  splitFactor: string;
  sourceUrl: string | null;
  /** Set if no source names the day, so that it is projected from the company's past reports. */
  projection: DateProjection | null;
  provenance: Provenance;
  /** Time of the observation that last changed any field above. */
  updatedAt: Instant;
}

/** Each part comes from a single source, so that low, mean and high belong together. */
export interface EarningsEstimates {
  eps: EpsConsensus | null;
  revenue: Consensus | null;
}

/** Certainty of a projected day. */
export interface DateProjection {
  interval50: DateInterval;
  interval80: DateInterval;
  /** Probability of the session, from 0 to 1; null if the session is not supplied. */
  timeProbability: number | null;
  /** Explains the day in a sentence. */
  basis: string;
}

/** Expected ranges for the next quarter and the fiscal year, by metric. */
export interface Guidance {
  quarter: GuidanceRanges | null;
  year: GuidanceRanges | null;
}

export type GuidanceRanges = Record<GuidanceMetric, GuidanceRange | null>;

/** Decimal text. Both are equal for a single figure. */
export interface GuidanceRange {
  low: string;
  high: string;
}

export type DateStatus = 'projected' | 'confirmed' | 'reported';
export type EpsBasis = 'gaap' | 'adjusted' | 'ffo';

/** Source of each field, with the instant since which its value has been unchanged. */
export type Provenance = Record<string, FieldSource>;

/** A value with its source. */
export interface SourcedValue<Value> {
  value: Value;
  source: FieldSource;
}

export function earningsEventId(securityId: string, periodLabel: string): string {
  const hash = createHash('sha256').update(`${securityId}/${periodLabel}`).digest('hex');
  return `ern_${hash.slice(0, 20)}`;
}
