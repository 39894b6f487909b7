import type { Change } from '../dataset.ts';
import type { EconomicEvent } from './row.ts';

/** The facts of an event that make a version of their own when they change. */
const VERSIONED_FIELDS = [
  'country',
  'countryCode',
  'eventName',
  'date',
  'time',
  'scheduledAt',
  'timeStatus',
  'actual',
  'consensus',
  'previous',
  'revised',
  'actualValue',
  'consensusValue',
  'previousValue',
  'revisedValue',
  'unit',
  'measure',
  'period',
  'importance',
  'usMajor',
  'sourceUrl',
] as const satisfies readonly (keyof EconomicEvent)[];

/** Names of the facts in which two versions differ; for a first version, every known fact. */
export function changedFields(before: EconomicEvent | null, after: EconomicEvent): string[] {
  if (before === null) return VERSIONED_FIELDS.filter((field) => after[field] !== null);
  return VERSIONED_FIELDS.filter((field) => before[field] !== after[field]);
}

/** These events are about a country, whose code stands where others have a symbol. */
export function toChange(after: EconomicEvent, fields: string[]): Change {
  return {
    dataset: 'economic-events',
    entityId: after.id,
    symbol: after.countryCode ?? after.country,
    changedFields: fields,
    observedAt: after.updatedAt,
  };
}

/** The topic of a day's answers. */
export function dayTopic(date: string): string {
  return `economic:date:${date}`;
}
