import { addMonths, daysBetween } from '../../domain/local-date.ts';
import { CURRENT_VERSION } from '../counts/coverage-table.ts';
import type { Dataset } from '../dataset.ts';
import { defineExplore } from '../explore.ts';
import { touchedKeys } from '../source-records/entity-keys.ts';
import { mergeEconomicEvents } from './merge.ts';
import { type EconomicObservation, monthKey } from './observation.ts';
import type { EconomicEvent } from './row.ts';
import { economicEventVersions } from './store.ts';

export const dataset: Dataset = {
  name: 'economic-events',
  describe: 'Economic releases and events: schedule, consensus, figures.',
  after: ['securities'],
  due: 'daily',
  isAboutSecurities: false,
  coverage: {
    table: 'economic_event',
    condition: CURRENT_VERSION,
    dateColumn: 'date',
    symbols: null,
    fields: [
      ['scheduledAt', 'scheduled_at'],
      ['actual', 'actual'],
      ['consensus', 'consensus'],
      ['previous', 'previous'],
    ],
  },
  explore: defineExplore<EconomicEvent, EconomicObservation>({
    table: 'economic_event',
    key: 'id',
    versions: economicEventVersions,
    title: 'v.event_name',
    symbol: null,
    day: 'v.date',
    hasSymbol: null,
    hasText: (placeholder) =>
      `(position(lower(${placeholder}) in lower(v.event_name)) > 0 or v.country_code = upper(${placeholder}))`,
    entityKeysOf: (_, { date }) =>
      Promise.resolve([-1, 0, 1].map((months) => monthKey(addMonths(date, months)))),
    isAbout: (fields, event) =>
      Math.abs(daysBetween(fields.date, event.date)) <= SAME_RELEASE_DAYS &&
      (fields.isRelease === true || hasSameName(fields, event)),
  }),
  // Includes rows that repeat known values, because each observation can calibrate the days and
  // clocks of its capture.
  merge: (context, { rows }) => mergeEconomicEvents(context, touchedKeys(rows, 'economic-events')),
};

/**
 * Maximum number of days between two dates for the same release, because sources use their own time
 * zones and releases move by a few days.
 */
const SAME_RELEASE_DAYS = 7;

/**
 * Compares the stem of the id, which does not depend on the source's spelling, and then the name.
 */
function hasSameName({ stem, eventName }: EconomicObservation, event: EconomicEvent): boolean {
  const [eventStem = ''] = event.id.split(':');
  return eventName === event.eventName || (stem != null && eventStem.includes(stem));
}
