import { expect, test } from 'vitest';
import type { Account, Key, WebhookEndpoint } from '../api/calls.gen.ts';
import { findIssues, type AccountSnapshot } from './issues.ts';

const NOW = Date.parse('2026-11-22T17:00:00Z');

const ACCOUNT: Account = {
  id: 'cus_1',
  name: 'Heron',
  state: 'active',
  createdAt: '2026-01-01T00:00:00Z',
  plan: {
    name: 'free',
    perMinute: 60,
    perDay: 100,
    perMonth: 1e3,
    historyMonths: 24,
    computeMsPerMinute: 10_000,
    watchlistsMax: 5,
    watchlistCompaniesMax: 100,
  },
  suspendedAt: null,
  historyFrom: null,
  quotas: [],
};

const KEY: Key = {
  id: 'key_1',
  name: 'night job',
  prefix: 'eds_live_ab',
  last4: 'Zq9x',
  scopes: ['read'],
  allowedCidrs: null,
  state: 'active',
  createdAt: '2026-11-20T00:00:00Z',
  createdBy: null,
  expiresAt: null,
  lastUsedAt: null,
};

const ENDPOINT: WebhookEndpoint = {
  id: 'whe_1',
  url: 'https://desk.example/in',
  description: '',
  state: 'enabled',
  disabledAt: null,
  disabledReason: null,
  payloadFormat: 'json',
  standardWebhooks: false,
  isDev: false,
  subscriptionCount: 1,
  createdAt: '2026-11-01T00:00:00Z',
  createdBy: null,
  updatedAt: '2026-11-01T00:00:00Z',
  lastDeliveryAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
  failureCount: 0,
  recentDelivered: 0,
  recentFailed: 0,
  nextSecretSince: null,
  previousSecretEndsAt: null,
};

const HEALTHY: AccountSnapshot = {
  account: ACCOUNT,
  keys: [KEY],
  endpoints: [ENDPOINT],
  datasets: [],
  hasSecondFactor: true,
};

function idsOf(snapshot: Partial<AccountSnapshot>): string[] {
  return findIssues({ ...HEALTHY, ...snapshot }, NOW).map(({ tone, id }) => `${tone} ${id}`);
}

test('finds no issues with a healthy account', () => {
  expect(idsOf({})).toEqual([]);
});

test("sorts an account's problems before warnings and tips", () => {
  const quotas = [
    { window: 'day' as const, limit: 100, used: 100, resetAt: '2026-11-23T05:00:00Z' },
  ];
  expect(
    idsOf({
      account: { ...ACCOUNT, quotas },
      keys: [{ ...KEY, expiresAt: '2026-11-24T00:00:00Z' }],
      hasSecondFactor: false,
    }),
  ).toEqual(['bad quota day', 'warn key_1', 'plain second-factor']);
});

test('warns if a quota will run out early at the current rate', () => {
  const resetAt = '2026-11-23T05:00:00Z';
  const account = (used: number) => ({
    ...ACCOUNT,
    quotas: [{ window: 'day' as const, limit: 100, used, resetAt }],
  });
  // Half of the day has passed.
  expect(idsOf({ account: account(49) })).toEqual([]);
  expect(idsOf({ account: account(60) })).toEqual(['warn quota day']);
});

test('flags API keys that expire within a week or were unused for a month', () => {
  const soon = { ...KEY, expiresAt: '2026-11-28T00:00:00Z' };
  const later = { ...KEY, expiresAt: '2026-12-20T00:00:00Z' };
  const unused = { ...KEY, createdAt: '2026-01-01T00:00:00Z', lastUsedAt: '2026-10-01T00:00:00Z' };
  expect([idsOf({ keys: [soon] }), idsOf({ keys: [later] }), idsOf({ keys: [unused] })]).toEqual([
    ['warn key_1'],
    [],
    ['plain key_1'],
  ]);
  expect(idsOf({ keys: [{ ...unused, state: 'revoked' }] })).toEqual([]);
});

test('flags endpoints that are failing or disabled by the service, but not those disabled by their owner', () => {
  const failing = { ...ENDPOINT, failingSince: '2026-11-22T10:00:00Z', failureCount: 4 };
  const gone = { ...ENDPOINT, state: 'disabled' as const, disabledReason: 'gone' as const };
  const paused = { ...ENDPOINT, state: 'disabled' as const, disabledReason: 'owner' as const };
  const issueIds = [failing, gone, paused].map((endpoint) => idsOf({ endpoints: [endpoint] }));
  expect(issueIds).toEqual([['bad whe_1'], ['bad whe_1'], []]);
});

test('words an issue differently for one failed attempt than for several', () => {
  const text = (failureCount: number): string | undefined => {
    const endpoint = { ...ENDPOINT, failingSince: '2026-11-22T10:00:00Z', failureCount };
    return findIssues({ ...HEALTHY, endpoints: [endpoint] }, NOW)[0]?.text;
  };
  expect(text(1)).toMatch(/^The last attempt failed .+ ago\./);
  expect(text(4)).toMatch(/^4 attempts in a row failed, the first .+ ago\./);
});

test('reports all late datasets in one issue', () => {
  const late = { lastSuccessAt: null, lastChangeAt: null, ageSeconds: 9, targetSeconds: 5 };
  const datasets = [
    { dataset: 'earnings', state: 'late' as const, ...late },
    { dataset: 'economic-events', state: 'failing' as const, ...late },
    { dataset: 'splits', state: 'empty' as const, ...late },
  ];
  expect(findIssues({ ...HEALTHY, datasets }, NOW)).toMatchObject([
    { tone: 'warn', title: 'Delayed data: earnings, economic events' },
  ]);
});
