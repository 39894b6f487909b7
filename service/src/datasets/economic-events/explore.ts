import { addMonths, daysBetween } from '../../domain/local-date.ts';
import { defineExplore } from '../explore.ts';
import { type EconomicObservation, monthSubject } from './observation.ts';
import type { EconomicEvent } from './row.ts';
import { economicEventVersions } from './store.ts';

/** Sources write days by clocks of their own, and releases move by some days. */
const SAME_RELEASE_DAYS = 7;

export const explore = defineExplore<EconomicEvent, EconomicObservation>({
  table: 'economic_event',
  key: 'id',
  versions: economicEventVersions,
  title: 'v.event_name',
  symbol: null,
  day: 'v.date',
  hasSymbol: null,
  hasText: (place) =>
    `(position(lower(${place}) in lower(v.event_name)) > 0 or v.country_code = upper(${place}))`,
  subjectsOf: (_, { date }) =>
    Promise.resolve([-1, 0, 1].map((months) => monthSubject(addMonths(date, months)))),
  isAbout: (fields, { id, date, eventName, measure }) =>
    Math.abs(daysBetween(fields.date, date)) <= SAME_RELEASE_DAYS &&
    (fields.isRelease === true ||
      isNamedAlike(fields, {
        id,
        eventName,
        measure,
      })),
});

/** By the stem of the id, which says what is measured whatever a source calls it; else by the name. */
function isNamedAlike(
  { stem, eventName }: EconomicObservation,
  event: Pick<EconomicEvent, 'id' | 'eventName' | 'measure'>,
): boolean {
  const [own = ''] = event.id.split(':');
  return eventName === event.eventName || (stem != null && own.includes(stem));
}
