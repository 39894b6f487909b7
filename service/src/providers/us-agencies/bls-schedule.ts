import { daily } from '../../domain/market/due-times.ts';
import { foldName } from '../../datasets/economic-events/well-known-event.ts';
import { readText, required } from '../kit/fields.ts';
import type { Feed } from '../provider.ts';
import { agencyRequest } from './request.ts';
import { parseScheduleCalendar, readStart } from './schedule-calendar.ts';

export const BLS_HOST = 'www.bls.gov';
const PATH = '/schedule/news_release/bls.ics';
const SOURCE_URL = 'https://www.bls.gov/schedule/news_release/';

/**
 * The release schedule of the Bureau of Labor Statistics, with official dates and times but without
 * figures or periods. Releases are keyed by their own ids, or else by name and date.
 */
export const blsSchedule: Feed = {
  name: 'bls-schedule',
  isProbe: true,
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 70] },
  schedule: [{ name: 'nightly', times: daily('03:20'), scope: 'all' }],
  claims: (response) => response.host === BLS_HOST && response.path.split('?')[0] === PATH,
  parse: (response) =>
    parseScheduleCalendar(response, (event) => {
      const eventName = required(readText(event, 'SUMMARY'), 'SUMMARY');
      const start = readStart(event);
      const naturalKey = readText(event, 'UID') ?? `${foldName(eventName)}/${start.date}`;
      return { eventName, ...start, sourceUrl: SOURCE_URL, naturalKey };
    }),
  plan: (context) => [agencyRequest(`https://${BLS_HOST}${PATH}`, 'text/calendar', context)],
};
