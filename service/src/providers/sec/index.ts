import { CONTACT_SETTING } from '../kit/contact.ts';
import { errorFeed } from '../kit/fallback-feeds.ts';
import type { SourceLimits } from '../../platform/source-client.ts';
import type { Feed, Provider, ProviderSetting, SourceResponse } from '../provider.ts';
import { companyTickersExchange } from './company-tickers-exchange.ts';
import { companyTickers } from './company-tickers.ts';
import { companyfacts } from './companyfacts.ts';
import { DATA_HOST, WWW_HOST } from './edgar.ts';
import { filingIndex } from './filing-index.ts';
import { FEED_SECONDS_SETTING, follower } from './follower.ts';
import { isErrorResponse, rejectErrorResponse } from './response-body.ts';
import { releaseFeed } from './release-feed.ts';
import { submissionsPage } from './submissions-page.ts';
import { submissions } from './submissions.ts';

const feeds: readonly Feed[] = [
  companyTickers,
  companyTickersExchange,
  submissions,
  submissionsPage,
  filingIndex,
  releaseFeed,
  companyfacts,
];

const LIMITS: SourceLimits = {
  intervalMsMin: 125,
  timeoutMs: 30_000,
  bodyBytesMax: 64 * 1024 * 1024,
  cooldownMs: 10 * 60_000,
};

const RATE_SETTING: ProviderSetting = {
  name: 'SEC_REQUESTS_PER_SECOND',
  required: false,
  secret: false,
  describe:
    'Most requests to EDGAR in a second, 1 to 8. Lower it if other programs of yours use EDGAR too, ' +
    'which allows ten to all of them together. Default: 8.',
  fix: 'set SEC_REQUESTS_PER_SECOND to a whole number from 1 to 8, or remove it',
  accepts: (value) => /^[1-8]$/.test(value),
};

export const provider: Provider = {
  name: 'sec',
  title: 'SEC EDGAR',
  provides: 'filers, the time of each results filing, results of press releases, reported figures',
  homepage: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  redistribution: 'public-domain',
  terms:
    'Filings and their data are in the public domain; clients must name a contact ' +
    'and send at most ten requests a second.',
  termsUrl: 'https://www.sec.gov/privacy',
  whenRefused:
    'check that SEC_CONTACT has a working e-mail address, then wait ten minutes without requests',
  hosts: [WWW_HOST, DATA_HOST],
  limits: LIMITS,
  limitsOf(setting) {
    const perSecond = Number(setting(RATE_SETTING.name) ?? 8);
    return { ...LIMITS, intervalMsMin: Math.ceil(1000 / perSecond) };
  },
  settings: [CONTACT_SETTING, RATE_SETTING, FEED_SECONDS_SETTING],
  follower,
  companyFeeds: {
    list: { feed: companyTickersExchange.name, title: 'list of companies' },
    pages: [
      { feed: submissions.name, title: 'filings' },
      { feed: companyfacts.name, title: 'reported figures' },
    ],
  },
  ranks: { profiles: 'secondary', 'profiles.companyName': 'regulator' },
  feeds: [...feeds, errorFeed(feeds, isEdgarError, rejectErrorResponse)],
};

function isEdgarError(response: SourceResponse): boolean {
  return [WWW_HOST, DATA_HOST].includes(response.host) && isErrorResponse(response);
}
