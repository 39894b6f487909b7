import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { SessionMarker } from './observation.ts';

/** The canonical facts of one earnings report. Amounts are decimal text in whole units. */
export interface EarningsEvent {
  /** `ern_` and a hash of security and fiscal period. Survives date changes. */
  id: string;
  securityId: string;
  symbol: string;
  name: string | null;
  date: LocalDate;
  time: SessionMarker;
  dateStatus: DateStatus;
  epsEstimate: string | null;
  eps: string | null;
  revenueEstimate: string | null;
  revenue: string | null;
  estimateCount: number | null;
  epsYearAgo: string | null;
  fiscalYear: number | null;
  fiscalQuarter: number | null;
  fiscalPeriodEnd: LocalDate | null;
  epsBasis: EpsBasis | null;
  currency: string;
  /** When the results were published; for a U.S. filer the acceptance of its 8-K. */
  reportedAt: Instant | null;
  /**
   * When the consensus of EPS, otherwise of revenue, was last seen before the release. Null while
   * it still changes, and if it was first seen with the results.
   */
  estimateAsOf: Instant | null;
  /** Like `estimateAsOf`, for the consensus of revenue alone. */
  revenueEstimateAsOf: Instant | null;
  /** The session was captured ahead of the release, so it wins over a later filing. */
  markerAhead: boolean;
  /** Product of the splits since the report. */
  splitFactor: string;
  sourceUrl: string | null;
  provenance: Provenance;
  /** Observation time of the newest change of any field above. */
  updatedAt: Instant;
}

export type DateStatus = 'projected' | 'confirmed' | 'reported';
export type EpsBasis = 'gaap' | 'adjusted' | 'ffo';

/** Source of each field, with the instant since when its value has been unchanged. */
export type Provenance = Record<string, FieldSource>;

export interface FieldSource {
  provider: string;
  feed: string;
  seenAt: Instant;
}

/** A value with its source. */
export interface SourcedValue<Value> {
  value: Value;
  source: FieldSource;
}

export function earningsEventId(securityId: string, periodLabel: string): string {
  const hash = createHash('sha256').update(`${securityId}/${periodLabel}`).digest('hex');
  return `ern_${hash.slice(0, 20)}`;
}
