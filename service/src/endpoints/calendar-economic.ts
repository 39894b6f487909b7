import { dayTopic } from '../datasets/economic-events/changes.ts';
import { loadEconomicEventsOfDay } from '../datasets/economic-events/store.ts';
import type { Endpoint } from './endpoint.ts';
import { datedMaxAgeSeconds } from './rows/dated-max-age.ts';
import { byMoment, economicEventRow, renderEconomicEvent } from './rows/economic-event-row.ts';
import type { EconomicEventRow } from './rows/economic-event-row.ts';
import { list } from './schema/fields.ts';

export const endpoint: Endpoint = {
  name: 'calendar-economic',
  path: '/v1/calendar/economic',
  summary: 'Economic releases of a day',
  describe:
    'The economic releases and events of a New York day, by time: statistics of the United States ' +
    'and other large economies, central bank decisions, holidays. Figures come as published and as ' +
    'numbers in `unit`. `usmajor=true` keeps the major U.S. indicators alone, a fixed list of ids.',
  tag: 'calendars',
  parameters: [
    {
      name: 'date',
      in: 'query',
      kind: 'date',
      required: true,
      describe: '`YYYY-MM-DD`, or `today`, `yesterday`, `tomorrow` in New York.',
    },
    {
      name: 'usmajor',
      in: 'query',
      kind: 'boolean',
      default: false,
      required: false,
      describe: 'Whether to keep only the major U.S. indicators.',
    },
  ],
  response: list(economicEventRow, 'Events by time, those without one first; then by country.'),
  example: [example()],
  historicalAccess: true,
  topics: (values) => [dayTopic(values.date('date'))],
  maxAgeSeconds: (values, now) => datedMaxAgeSeconds(values.date('date'), now),
  async answer(values, { db }) {
    const all = await loadEconomicEventsOfDay(db, values.date('date'));
    const events = values.flag('usmajor') ? all.filter(({ usMajor }) => usMajor) : all;
    const asOf = events.length === 0 ? null : Math.max(...events.map((event) => event.updatedAt));
    return { kind: 'body', body: events.toSorted(byMoment).map(renderEconomicEvent), asOf };
  },
};

/** A release with made-up figures, for the interface description. */
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
