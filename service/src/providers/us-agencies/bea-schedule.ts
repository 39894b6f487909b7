import { daily } from '../../domain/market/due-times.ts';
import { readText, required } from '../kit/fields.ts';
import type { Feed } from '../provider.ts';
import { readReleaseTitle } from './release-title.ts';
import { agencyRequest } from './request.ts';
import { parseScheduleCalendar, readStart } from './schedule-calendar.ts';

export const BEA_HOST = 'www.bea.gov';
const PATH = '/news/schedule/ics/online-calendar-subscription.ics';
const SOURCE_URL = 'https://www.bea.gov/news/schedule';

/**
 * The release schedule of the Bureau of Economic Analysis (GDP, personal income and outlays, trade),
 * with official dates and times, periods and the estimate of a quarter, but without figures.
 */
export const beaSchedule: Feed = {
  name: 'bea-schedule',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 30] },
  schedule: [{ name: 'nightly', times: daily('03:22'), scope: 'all' }],
  claims: (response) => response.host === BEA_HOST && response.path.split('?')[0] === PATH,
  parse: (response) =>
    parseScheduleCalendar(response, (event) => {
      const title = required(readText(event, 'SUMMARY'), 'SUMMARY');
      const { name, period, vintage } = readReleaseTitle(title);
      const start = readStart(event);
      const naturalKey = readText(event, 'UID') ?? `${title}/${start.date}`;
      return { eventName: name, ...start, period, vintage, sourceUrl: SOURCE_URL, naturalKey };
    }),
  plan: (context) => [agencyRequest(`https://${BEA_HOST}${PATH}`, 'text/calendar', context)],
};
