import { topics } from '../datasets/topics.gen.ts';
import { monthKey } from '../datasets/economic-events/observation.ts';
import {
  loadPublicEconomicEvents,
  type PublicEconomicEvents,
} from '../datasets/economic-events/load-public.ts';
import type { EconomicEvent } from '../datasets/economic-events/row.ts';
import { loadEconomicEventsBetween } from '../datasets/economic-events/store.ts';
import type { Endpoint } from './endpoint.ts';
import { addDays } from '../domain/local-date.ts';
import type { Queryable } from '../storage/db.ts';
import {
  type DateRange,
  dateParameter,
  requestedDays,
  dateOrRangeFault,
  daysMaxAgeSeconds,
  eachDay,
  rangeParameters,
} from './rows/date-range.ts';
import {
  byTime,
  ECONOMIC_SOURCES,
  economicEventRow,
  type EconomicEventRow,
  renderEconomicEvent,
} from './rows/economic-event-row.ts';
import {
  gapsAt,
  isPublic,
  type PointInTime,
  pointInTimeOf,
  withPastReads,
} from './rows/past-reads.ts';
import { includeParameter, withProvenance } from './rows/provenance.ts';
import { list } from './schema/fields.ts';

const DAYS_MAX = 92;

export const endpoint: Endpoint = withPastReads({
  name: 'calendar-economic',
  path: '/v1/calendar/economic',
  summary: 'Economic calendar',
  describe:
    'Economic releases and events of a New York day, sorted by time: statistics of the ' +
    'United States and other large economies, central bank decisions, holidays. Figures are ' +
    'given as published and as numbers in `unit`. `usmajor=true` returns only the major U.S. ' +
    'indicators, a fixed list of ids. With `from` and `to` instead of `date`, the events of ' +
    `a range of up to ${DAYS_MAX} days.`,
  tag: 'calendars',
  parameters: [
    dateParameter,
    ...rangeParameters(DAYS_MAX),
    {
      name: 'usmajor',
      in: 'query',
      kind: 'boolean',
      default: false,
      required: false,
      describe: 'Returns only the major U.S. indicators.',
    },
    includeParameter,
  ],
  check: (values) => dateOrRangeFault(values, DAYS_MAX),
  response: list(economicEventRow, 'Events sorted by time, unknown times first, then by country.'),
  example: [example()],
  datasets: ['economic-events'],
  historicalAccess: true,
  firstDay: (values) => requestedDays(values).from,
  topics: (values) => eachDay(requestedDays(values)).map(topics.economicEvents.date),
  maxAgeSeconds: (values, now) => daysMaxAgeSeconds(requestedDays(values), now),
  async handle(values, { db, now }) {
    const point = pointInTimeOf(values, now);
    const { events, recordedSince } = await loadEvents(db, requestedDays(values), point);
    const visible = values.flag('usmajor') ? events.filter(({ usMajor }) => usMajor) : events;
    const rows = visible.toSorted(byTime);
    const entityKeysOf = (numbers: readonly number[]) =>
      Promise.resolve(numbers.map((row) => entityKeysOfEvent(rows[row])));
    const query = { dataset: 'economic-events', rows, fields: ECONOMIC_SOURCES, entityKeysOf };
    const body = await withProvenance(db, values, query, rows.map(renderEconomicEvent));
    const asOf = rows.length === 0 ? null : Math.max(...rows.map((event) => event.updatedAt));
    const knownGaps = gapsAt(point, ['economic-events'], recordedSince);
    return { kind: 'body', body, asOf, knownGaps };
  },
});

async function loadEvents(
  db: Queryable,
  days: DateRange,
  point: PointInTime,
): Promise<PublicEconomicEvents> {
  if (isPublic(point)) return loadPublicEconomicEvents(db, days, point.at);
  return { events: await loadEconomicEventsBetween(db, days, point.at), recordedSince: null };
}

/**
 * Sources identify an event by the month of its date. Its current date may be a day off, so the
 * keys also cover the adjacent days.
 */
function entityKeysOfEvent(event: EconomicEvent | undefined): string[] {
  if (event === undefined) return [];
  return [...new Set([-1, 0, 1].map((days) => monthKey(addDays(event.date, days))))];
}

/** Returns a release with fictional figures, for the API description. */
function example(): EconomicEventRow {
  return {
    id: 'us-cpi-yoy:2026-10',
    country: 'United States',
    countryCode: 'US',
    eventName: 'CPI',
    date: '2026-11-12',
    time: '08:30',
    scheduledAt: '2026-11-12T13:30:00Z',
    timeStatus: 'exact',
    actual: '2.6%',
    consensus: '2.7%',
    previous: '2.8%',
    revised: null,
    actualValue: 2.6,
    consensusValue: 2.7,
    previousValue: 2.8,
    revisedValue: null,
    unit: 'percent',
    measure: 'yoy',
    period: '2026-10',
    importance: 3,
    usMajor: true,
    sourceUrl: 'https://www.bls.gov/schedule/news_release/',
    updatedAt: '2026-11-12T13:30:20Z',
  };
}
