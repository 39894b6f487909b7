import { isApiKey } from '../kit/api-key.ts';
import { errorFeed } from '../kit/fallback-feeds.ts';
import type { Feed, Provider, SourceResponse } from '../provider.ts';
import { calendarEarnings } from './calendar-earnings.ts';
import { calendarIpo } from './calendar-ipo.ts';
import { profile2 } from './profile2.ts';
import { HOST, KEY_SETTING } from './request.ts';
import { isErrorResponse, readBody } from './response-body.ts';

const feeds: readonly Feed[] = [calendarEarnings, calendarIpo, profile2];

export const provider: Provider = {
  name: 'finnhub',
  title: 'Finnhub',
  provides: 'estimates and results, offerings, profiles',
  homepage: 'https://finnhub.io/docs/api/earnings-calendar',
  redistribution: 'with-contract',
  terms:
    'The free plan is for personal use; showing the data to third parties requires an agreement with ' +
    'Finnhub.',
  termsUrl: 'https://finnhub.io/terms-of-service',
  hosts: [HOST],
  limits: {
    intervalMsMin: 1100,
    timeoutMs: 15_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 60_000,
  },
  settings: [
    {
      name: KEY_SETTING,
      required: true,
      secret: true,
      describe: 'API key for Finnhub; sent in a header and never stored or logged.',
      fix: 'get a free key at https://finnhub.io/register and set FINNHUB_API_KEY to it',
      accepts: isApiKey,
    },
  ],
  feeds: [...feeds, errorFeed(feeds, isOwnError, readBody)],
};

function isOwnError(response: SourceResponse): boolean {
  return response.host === HOST && isErrorResponse(response);
}
