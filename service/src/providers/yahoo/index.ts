import { unreadFeed } from '../kit/fallback-feeds.ts';
import { requireJson } from '../kit/json.ts';
import type { Feed, Provider, SourceResponse } from '../provider.ts';
import { chart } from './chart.ts';
import { quoteSummary } from './quote-summary.ts';
import { quote } from './quote.ts';
import { CONSENT_SETTING, CONSENT_VALUE, HOSTS, sessionToken } from './request.ts';
import { readResults } from './response-body.ts';

const feeds: readonly Feed[] = [chart, quoteSummary, quote];

const unreadResponses = unreadFeed(feeds, {
  isOwn: ({ host }) => HOSTS.includes(host),
  reject,
  target: ({ path }) => path,
  reasons: [
    [/^\/v1\/finance\/screener\//, 'movers-are-computed'],
    [/^\/v1\/finance\/trending\//, 'names-without-facts'],
    [/^\/v1\/finance\/search/, 'names-without-facts'],
    [/^\/ws\/fundamentals-timeseries\//, 'statements-come-from-filings'],
  ],
  defaultReason: 'path-not-read',
});

export const provider: Provider = {
  name: 'yahoo',
  title: 'Yahoo Finance',
  provides: 'revenue estimates, price history, splits, profiles',
  homepage: 'https://finance.yahoo.com',
  redistribution: 'not-granted',
  terms:
    "The API is undocumented, and Yahoo's terms grant personal use only: you may not show the data " +
    'to third parties.',
  termsUrl: 'https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
  whenRefused:
    'it refuses many addresses of data centers: ingest on another machine, or use a source with a key; ' +
    `in Europe, agree to its cookies with ${CONSENT_SETTING}=${CONSENT_VALUE}`,
  hosts: HOSTS,
  limits: {
    intervalMsMin: 2500,
    budget: { requests: 300, windowMs: 60 * 60_000 },
    timeoutMs: 15_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 60 * 60_000,
  },
  settings: [
    {
      name: CONSENT_SETTING,
      required: false,
      secret: false,
      describe:
        'Set it to `agree` to submit the consent form that Yahoo shows to visitors in Europe, on your ' +
        'behalf. You then accept its use of cookies.',
      fix: `set ${CONSENT_SETTING} to ${CONSENT_VALUE}, or unset it`,
      accepts: (value) => value === CONSENT_VALUE,
    },
  ],
  sessionToken,
  ranks: { classification: ['secondary', 10] },
  feeds: [...feeds, unreadResponses],
};

function reject(response: SourceResponse): void {
  if (response.status === 200) return;
  readResults(response, 'finance');
  requireJson(response);
}
