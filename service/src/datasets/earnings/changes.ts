import { type Topic, topics } from '../topics.gen.ts';
import type { ChangeSource } from '../changes/change-of.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { isSameRange } from './estimates.ts';
import type { EarningsEvent } from './row.ts';

/**
 * Facts that create a new version of an event when they change, in the order of the specification.
 */
const VERSIONED_FIELDS = [
  'date',
  'time',
  'epsEstimate',
  'revenueEstimate',
  'eps',
  'revenue',
  'epsGaap',
  'dateStatus',
  'symbol',
  'name',
  'estimateCount',
  'epsYearAgo',
  'fiscalYear',
  'fiscalQuarter',
  'fiscalPeriodEnd',
  'epsBasis',
  'isEpsComparable',
  'currency',
  'reportedAt',
  'estimateAsOf',
  'revenueEstimateAsOf',
  'callAt',
  'estimates',
  'guidance',
  'markerAhead',
  'splitFactor',
  'sourceUrl',
  'projection',
  'securityId',
] as const satisfies readonly (keyof EarningsEvent)[];

/**
 * Returns the names of the facts that differ between two versions. For a first version, these are
 * all known facts.
 */
export function changedFields(before: EarningsEvent | null, after: EarningsEvent): string[] {
  if (before === null) return VERSIONED_FIELDS.filter((field) => after[field] !== null);
  return VERSIONED_FIELDS.filter((field) => {
    if (field === 'estimates') return !isSameRange(before.estimates, after.estimates);
    if (field === 'projection' || field === 'guidance') {
      return canonicalJson(before[field]) !== canonicalJson(after[field]);
    }
    return before[field] !== after[field];
  });
}

export const earningsChangeSource: ChangeSource<EarningsEvent> = {
  dataset: 'earnings',
  idOf: ({ id }) => id,
  symbolOf: ({ symbol }) => symbol,
  factsOf: (event) => event,
  changed: changedFields,
};

/** Returns the topics for a version: those of the event, its day and its company. */
export function topicsOf(event: EarningsEvent): Topic[] {
  return [
    topics.earnings.event(event.id),
    topics.earnings.date(event.date),
    topics.earnings.symbol(event.symbol),
    topics.profiles.symbol(event.symbol),
  ];
}
