import type { Feed, Provider } from '../provider.ts';
import { chart } from './chart.ts';
import { quoteSummary } from './quote-summary.ts';
import { quote } from './quote.ts';
import { HOSTS, sessionToken } from './request.ts';
import { unreadFeed } from './unread.ts';

const feeds: readonly Feed[] = [chart, quoteSummary, quote];

export const provider: Provider = {
  name: 'yahoo',
  title: 'Yahoo Finance',
  homepage: 'https://finance.yahoo.com',
  redistribution: 'not-granted',
  terms:
    'The API is undocumented, and the terms of Yahoo grant personal use only: nothing may be shown ' +
    'to third parties.',
  termsUrl: 'https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
  hosts: HOSTS,
  limits: {
    intervalMsMin: 2500,
    timeoutMs: 15_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 60 * 60_000,
  },
  settings: [],
  sessionToken,
  feeds: [...feeds, unreadFeed(feeds)],
};
