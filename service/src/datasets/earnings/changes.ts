import type { Change } from '../dataset.ts';
import type { EarningsEvent } from './row.ts';

/** The facts of an event that make a version of their own when they change, in the spec's order. */
const VERSIONED_FIELDS = [
  'date',
  'time',
  'epsEstimate',
  'revenueEstimate',
  'eps',
  'revenue',
  'dateStatus',
  'symbol',
  'name',
  'estimateCount',
  'epsYearAgo',
  'fiscalYear',
  'fiscalQuarter',
  'fiscalPeriodEnd',
  'epsBasis',
  'currency',
  'reportedAt',
  'estimateAsOf',
  'markerAhead',
  'splitFactor',
  'sourceUrl',
  'securityId',
] as const satisfies readonly (keyof EarningsEvent)[];

/** Names of the facts in which two versions differ; for a first version, every known fact. */
export function changedFields(before: EarningsEvent | null, after: EarningsEvent): string[] {
  if (before === null) return VERSIONED_FIELDS.filter((field) => after[field] !== null);
  return VERSIONED_FIELDS.filter((field) => before[field] !== after[field]);
}

export function toChange(after: EarningsEvent, fields: string[]): Change {
  return {
    dataset: 'earnings',
    entityId: after.id,
    symbol: after.symbol,
    changedFields: fields,
    observedAt: after.updatedAt,
  };
}

/** The topics that a version of an event touches: its day, its company. */
export function topicsOf(event: EarningsEvent): string[] {
  return [
    `earnings:date:${event.date}`,
    `earnings:symbol:${event.symbol}`,
    `profile:${event.symbol}`,
  ];
}
