import type { Feed, Provider } from '../provider.ts';
import { daily } from './daily.ts';
import { earningsCalendar } from './earnings-calendar.ts';
import { earnings } from './earnings.ts';
import { overview } from './overview.ts';
import { HOST, isKey, KEY_SETTING } from './request.ts';
import { unreadFeed } from './unread.ts';

const feeds: readonly Feed[] = [earningsCalendar, earnings, overview, daily];

export const provider: Provider = {
  name: 'alphavantage',
  title: 'Alpha Vantage',
  homepage: 'https://www.alphavantage.co/documentation/',
  redistribution: 'with-contract',
  terms:
    'Free and standard keys are for personal use; showing the data to third parties needs a ' +
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
        'API key for Alpha Vantage; taken out of every answer before that is kept or logged.',
      fix: 'get a free key at https://www.alphavantage.co/support/ and set ALPHAVANTAGE_API_KEY to it',
      accepts: isKey,
    },
  ],
  feeds: [...feeds, unreadFeed(feeds)],
};
