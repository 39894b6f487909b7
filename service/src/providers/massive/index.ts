import { isApiKey } from '../kit/api-key.ts';
import { unreadFeed } from '../kit/fallback-feeds.ts';
import type { Feed, Provider } from '../provider.ts';
import { dividends } from './dividends.ts';
import { groupedDaily } from './grouped-daily.ts';
import { HOSTS, KEY_SETTING } from './request.ts';
import { isErrorResponse, readBody } from './response-body.ts';
import { tickerBars } from './ticker-bars.ts';
import { ticker } from './ticker.ts';

const feeds: readonly Feed[] = [groupedDaily, tickerBars, dividends, ticker];

const unreadResponses = unreadFeed(feeds, {
  isOwn: ({ host }) => HOSTS.includes(host),
  reject: (response) => isErrorResponse(response) && readBody(response),
  target: ({ path }) => path,
  reasons: [[/^\/v1\/marketstatus\//, 'market-days-are-computed']],
  defaultReason: 'path-not-read',
});

export const provider: Provider = {
  name: 'massive',
  title: 'Massive (formerly Polygon)',
  provides: 'daily prices of all companies, dividends, splits',
  homepage: 'https://massive.com/docs',
  redistribution: 'with-contract',
  terms:
    'Personal plans are for your own use; showing the data to third parties requires a business plan ' +
    'and agreements with the exchanges.',
  termsUrl: 'https://massive.com/terms',
  hosts: HOSTS,
  limits: {
    intervalMsMin: 12_500,
    timeoutMs: 30_000,
    bodyBytesMax: 32 * 1024 * 1024,
    cooldownMs: 60_000,
  },
  settings: [
    {
      name: KEY_SETTING,
      required: true,
      secret: true,
      describe: 'API key for Massive; sent in a header and never stored or logged.',
      fix: 'get a free key at https://massive.com and set MASSIVE_API_KEY to it',
      accepts: isApiKey,
    },
  ],
  feeds: [...feeds, unreadResponses],
};
