import {
  calendarEarnings,
  calendarEarningsRange,
  calendarEconomic,
} from './generated/orval-v1/client.ts';
import { apiKey, baseUrl, print } from './settings.ts';

// The generated functions fetch relative URLs.
const { fetch } = globalThis;
globalThis.fetch = (url, init) =>
  fetch(typeof url === 'string' ? new URL(url, baseUrl) : url, init);
const options = { headers: { 'X-Api-Key': apiKey } };
const range = { from: '2026-11-16', to: '2026-11-20' };
const [days, day, events] = await Promise.all([
  calendarEarningsRange(range, options),
  calendarEarnings({ date: range.to }, options),
  calendarEconomic(range, options),
]);
if (days.status !== 200 || day.status !== 200 || events.status !== 200) {
  throw new Error('a request failed');
}
print({
  days: days.data.map(({ date }) => date),
  day: day.data.date,
  events: events.data.length,
});
