import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript/v1.ts';
import { apiKey, baseUrl, print } from './settings.ts';

const client = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': apiKey } });
const range = { from: '2026-11-16', to: '2026-11-20' };
const [days, day, events] = await Promise.all([
  client.GET('/v1/calendar/earnings/range', { params: { query: range } }),
  client.GET('/v1/calendar/earnings', { params: { query: { date: range.to } } }),
  client.GET('/v1/calendar/economic', { params: { query: range } }),
]);
if (!days.data || !day.data || !events.data) throw new Error('a request failed');
print({
  days: days.data.map(({ date }) => date),
  day: day.data.date,
  events: events.data.length,
});
