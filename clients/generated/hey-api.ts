import { client } from './generated/hey-api-v1/client.gen.ts';
import {
  calendarEarnings,
  calendarEarningsRange,
  calendarEconomic,
} from './generated/hey-api-v1/index.ts';
import { apiKey, baseUrl, print } from './settings.ts';

client.setConfig({ baseUrl, headers: { 'X-Api-Key': apiKey } });
const range = { from: '2026-11-16', to: '2026-11-20' };
const [days, day, events] = await Promise.all([
  calendarEarningsRange({ query: range, throwOnError: true }),
  calendarEarnings({ query: { date: range.to }, throwOnError: true }),
  calendarEconomic({ query: range, throwOnError: true }),
]);
print({
  days: days.data.map(({ date }) => date),
  day: day.data.date,
  events: events.data.length,
});
