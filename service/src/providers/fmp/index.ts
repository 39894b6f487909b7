import { isApiKey } from '../kit/api-key.ts';
import { errorFeed } from '../kit/fallback-feeds.ts';
import type { Feed, Provider, SourceResponse } from '../provider.ts';
import { dividendsCalendar } from './dividends-calendar.ts';
import { earningsCalendar } from './earnings-calendar.ts';
import { earnings } from './earnings.ts';
import { iposCalendar } from './ipos-calendar.ts';
import { profile } from './profile.ts';
import { HOST, KEY_SETTING } from './request.ts';
import { isErrorResponse, readList } from './response-body.ts';

const feeds: readonly Feed[] = [
  earningsCalendar,
  earnings,
  dividendsCalendar,
  iposCalendar,
  profile,
];

export const provider: Provider = {
  name: 'fmp',
  title: 'Financial Modeling Prep',
  provides: 'estimates and results, dividends, offerings, profiles',
  homepage: 'https://site.financialmodelingprep.com/developer/docs',
  redistribution: 'with-contract',
  terms:
    'Plans are for your own use; showing the data to third parties requires a display license from ' +
    'Financial Modeling Prep.',
  termsUrl: 'https://site.financialmodelingprep.com/terms-of-service',
  hosts: [HOST],
  limits: {
    intervalMsMin: 1000,
    timeoutMs: 15_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 15 * 60_000,
  },
  settings: [
    {
      name: KEY_SETTING,
      required: true,
      secret: true,
      describe: 'API key for Financial Modeling Prep; sent in a header and never stored or logged.',
      fix: 'get a key at https://site.financialmodelingprep.com and set FMP_API_KEY to it',
      accepts: isApiKey,
    },
  ],
  feeds: [...feeds, errorFeed(feeds, isOwnError, readList)],
};

function isOwnError(response: SourceResponse): boolean {
  return response.host === HOST && isErrorResponse(response);
}
