import type { ChangeSource } from '../changes/change-of.ts';
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
export const economicChangeSource: ChangeSource<EconomicEvent> = {
  dataset: 'economic-events',
  idOf: ({ id }) => id,
  symbolOf: ({ countryCode, country }) => countryCode ?? country,
  factsOf: (event) => event,
  changed: changedFields,
};

/** The topic of a day's answers. */
export function dayTopic(date: string): string {
  return `economic:date:${date}`;
}
