import { CONTACT_SETTING } from '../kit/contact.ts';
import { errorFeed } from '../kit/fallback-feeds.ts';
import type { Feed, Provider, SourceResponse } from '../provider.ts';
import { companyTickersExchange } from './company-tickers-exchange.ts';
import { companyTickers } from './company-tickers.ts';
import { companyfacts } from './companyfacts.ts';
import { DATA_HOST, WWW_HOST } from './edgar.ts';
import { filingIndex } from './filing-index.ts';
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

export const provider: Provider = {
  name: 'sec',
  title: 'SEC EDGAR',
  homepage: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  redistribution: 'public-domain',
  terms:
    'Filings and their data are in the public domain; clients must name a contact ' +
    'and send at most ten requests a second.',
  termsUrl: 'https://www.sec.gov/privacy',
  whenRefused:
    'check that SEC_CONTACT has a working e-mail address, then wait ten minutes without requests',
  hosts: [WWW_HOST, DATA_HOST],
  limits: {
    intervalMsMin: 125,
    timeoutMs: 30_000,
    bodyBytesMax: 64 * 1024 * 1024,
    cooldownMs: 10 * 60_000,
  },
  settings: [CONTACT_SETTING],
  feeds: [...feeds, errorFeed(feeds, isEdgarError, rejectErrorResponse)],
};

function isEdgarError(response: SourceResponse): boolean {
  return [WWW_HOST, DATA_HOST].includes(response.host) && isErrorResponse(response);
}
