import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { calendarDay } from './calendar-day.ts';

/** Serves a calendar day with constant rows. */
export function benchCalendar(): Endpoint {
  return {
    name: 'calendar-earnings',
    path: '/v1/calendar/earnings',
    summary: '',
    describe: '',
    tag: 'calendars',
    parameters: [{ name: 'date', in: 'query', required: true, describe: '', kind: 'date' }],
    response: {},
    example: null,
    datasets: [],
    historicalAccess: true,
    firstDay: (values) => values.date('date'),
    topics: (values) => [`earnings:date:${values.date('date')}`],
    maxAgeSeconds: () => 60,
    handle: async () => ({ kind: 'body', body: calendarDay(), asOf: Date.UTC(2026, 10, 20, 15) }),
  };
}
