import { localDate } from '../../src/domain/local-date.ts';
import type { Instant } from '../../src/platform/instant.ts';
import type {
  Observation,
  ObservationHistory,
} from '../../src/datasets/source-records/observation-history.ts';
import { identifyEvents } from '../../src/datasets/economic-events/identify-events.ts';
import {
  type EconomicObservation,
  monthKey,
} from '../../src/datasets/economic-events/observation.ts';

/** Builds test histories for made-up economic indicators. */

let lastRecordId = 0;

/**
 * Returns a row from the calendar page for this day, with a clock that has not been calibrated yet.
 */
export function listed(
  eventName: string,
  date: string,
  time: string | null,
  fields: Partial<EconomicObservation> = {},
): EconomicObservation {
  const countryCode = fields.country === undefined ? 'US' : null;
  const [identity] = identifyEvents([{ eventName, countryCode, time, values: [] }]);
  return {
    eventName,
    country: 'United States',
    stem: identity?.stem ?? null,
    ordinal: 1,
    date: localDate(date),
    time,
    timeStatus: time === null ? 'tentative' : 'exact',
    clock: 'uncalibrated',
    list: date,
    ...fields,
  };
}

/** Returns a row in New York time, as in an agency's schedule or a file. */
export function settled(
  eventName: string,
  date: string,
  time: string,
  fields: Partial<EconomicObservation> = {},
): EconomicObservation {
  return listed(eventName, date, time, { clock: 'new-york', list: null, ...fields });
}

/** Returns one feed's values for one row at these instants, oldest first. */
export function history(
  feed: string,
  values: readonly (readonly [at: string, fields: EconomicObservation])[],
): ObservationHistory<EconomicObservation> {
  const [provider = '', name = ''] = feed.split('/');
  const first = values[0]?.[1];
  if (first === undefined) throw new RangeError('a history without values');
  const observations = values.map(([at, fields]): Observation<EconomicObservation> => {
    return { at: instant(at), recordId: ++lastRecordId, fields };
  });
  const naturalKey = `${first.date}/${first.stem ?? first.eventName}/${first.ordinal}`;
  return { provider, feed: name, entityKey: monthKey(first.date), naturalKey, observations };
}

export function instant(text: string): Instant {
  return Date.parse(text);
}
