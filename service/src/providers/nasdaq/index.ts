import type { Provider } from '../provider.ts';
import { calendarDividends } from './calendar-dividends.ts';
import { calendarEarnings } from './calendar-earnings.ts';
import { calendarSplits } from './calendar-splits.ts';
import { calendarTable } from './calendar-table.ts';
import { dividendsTable } from './dividends-table.ts';
import { earningsDate } from './earnings-date.ts';
import { earningsForecast } from './earnings-forecast.ts';
import { earningsSurprise } from './earnings-surprise.ts';
import { ipoCalendar } from './ipo-calendar.ts';
import { quoteDividends } from './quote-dividends.ts';
import { historical } from './historical.ts';
import { economicEvents } from './economic-events.ts';
import { marketInfo } from './market-info.ts';
import { HOST } from './request.ts';
import { screener } from './screener.ts';

export const provider: Provider = {
  name: 'nasdaq',
  title: 'Nasdaq.com data API',
  provides: 'all four calendars, consensus, surprises, daily lists',
  homepage: 'https://www.nasdaq.com/market-activity/earnings',
  redistribution: 'not-granted',
  terms:
    'The API is undocumented, and the terms of nasdaq.com grant no right to show its data to third ' +
    'parties. For your own use only.',
  termsUrl: 'https://www.nasdaq.com/legal-and-compliance',
  whenRefused:
    'it refuses after too many requests, and many addresses of data centers: wait a few hours, or ' +
    'ingest on a machine at home',
  hosts: [HOST],
  limits: {
    intervalMsMin: 3000,
    // The source stops responding after about 250 requests in a row.
    budget: { requests: 220, windowMs: 60 * 60_000 },
    hangsWhenBlocked: true,
    timeoutMs: 15_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 15 * 60_000,
  },
  settings: [],
  ranks: { dividends: 'exchange', ipos: 'exchange', profiles: ['exchange', 20] },
  feeds: [
    calendarEarnings,
    calendarTable,
    earningsSurprise,
    earningsDate,
    earningsForecast,
    historical,
    screener,
    dividendsTable,
    calendarDividends,
    quoteDividends,
    calendarSplits,
    ipoCalendar,
    economicEvents,
    marketInfo,
  ],
};
