import { isApiKey } from '../kit/api-key.ts';
import { unreadFeed } from '../kit/fallback-feeds.ts';
import type { Feed, Provider } from '../provider.ts';
import { daily } from './daily.ts';
import { earningsCalendar } from './earnings-calendar.ts';
import { earnings } from './earnings.ts';
import { overview } from './overview.ts';
import { functionOf, HOST, isApiResponse, KEY_SETTING } from './request.ts';
import { isErrorResponse, rejectErrorResponse } from './response-body.ts';

const feeds: readonly Feed[] = [earningsCalendar, earnings, overview, daily];

const unreadResponses = unreadFeed(feeds, {
  isOwn: isApiResponse,
  reject: (response) => isErrorResponse(response) && rejectErrorResponse(response),
  target: functionOf,
  reasons: [
    [/^TIME_SERIES_INTRADAY/, 'not-daily-bars'],
    [/^TIME_SERIES_(?:WEEKLY|MONTHLY)/, 'not-daily-bars'],
    // Open, high and low prices are as traded, but the close is adjusted for dividends.
    [/^TIME_SERIES_DAILY_ADJUSTED$/, 'bars-on-mixed-bases'],
    [
      /^(?:CPI|INFLATION|REAL_GDP|UNEMPLOYMENT|NONFARM_PAYROLL|RETAIL_SALES)/,
      'series-without-releases',
    ],
  ],
  defaultReason: 'function-not-read',
});

export const provider: Provider = {
  name: 'alphavantage',
  title: 'Alpha Vantage',
  provides: 'estimates and results, dates of past reports, profiles',
  homepage: 'https://www.alphavantage.co/documentation/',
  redistribution: 'with-contract',
  terms:
    'Free and standard keys are for personal use; showing the data to third parties requires a ' +
    'commercial agreement with Alpha Vantage.',
  termsUrl: 'https://www.alphavantage.co/terms_of_service/',
  hosts: [HOST],
  limits: {
    intervalMsMin: 1500,
    timeoutMs: 30_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 60 * 60_000,
  },
  settings: [
    {
      name: KEY_SETTING,
      required: true,
      secret: true,
      describe:
        'API key for Alpha Vantage; redacted from every response before it is stored or logged.',
      fix: 'get a free key at https://www.alphavantage.co/support/ and set ALPHAVANTAGE_API_KEY to it',
      accepts: isApiKey,
    },
  ],
  ranks: { classification: ['secondary', 20] },
  feeds: [...feeds, unreadResponses],
};
