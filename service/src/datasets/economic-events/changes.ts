import type { ChangeSource } from '../changes/change-of.ts';
import type { EconomicEvent } from './row.ts';

/** The facts whose change creates a new version of an event. */
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

/**
 * Returns the names of the facts that differ between two versions. For a first version, these are
 * all known facts.
 */
export function changedFields(before: EconomicEvent | null, after: EconomicEvent): string[] {
  if (before === null) return VERSIONED_FIELDS.filter((field) => after[field] !== null);
  return VERSIONED_FIELDS.filter((field) => before[field] !== after[field]);
}

/**
 * Converts versions of economic events to change records. The country code is used instead of a
 * symbol.
 */
export const economicChangeSource: ChangeSource<EconomicEvent> = {
  dataset: 'economic-events',
  idOf: ({ id }) => id,
  symbolOf: ({ countryCode, country }) => countryCode ?? country,
  factsOf: (event) => event,
  changed: changedFields,
};
