import type { Account, Key, WebhookEndpoint } from '../api/calls.gen.ts';
import type { DatasetFreshness } from '../api/use-service-status.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { formatDistance, formatNewYork } from '../format/time.ts';
import { paceOf } from './pace.ts';

const DAY_MS = 86_400_000;
const EXPIRES_SOON_MS = 7 * DAY_MS;
const UNUSED_MS = 30 * DAY_MS;
const SHARE_HIGH = 0.8;

/** An issue with the account. `to` is the page where it can be fixed. */
export interface Issue {
  id: string;
  /**
   * `bad` means that service is affected now, `warn` that it might be affected soon. `plain` is a
   * tip.
   */
  tone: 'bad' | 'warn' | 'plain';
  title: string;
  text: string;
  to: '/usage' | '/keys' | '/webhooks' | '/security' | null;
}

export interface AccountSnapshot {
  account: Account;
  keys: readonly Key[];
  endpoints: readonly WebhookEndpoint[];
  datasets: readonly DatasetFreshness[];
  hasSecondFactor: boolean;
}

const ORDER = { bad: 0, warn: 1, plain: 2 } as const;
const WINDOWS = { day: 'Daily', month: 'Monthly' } as const;

/** Finds the issues with an account, worst first. */
export function findIssues(snapshot: AccountSnapshot, now: number): Issue[] {
  return [
    ...accountIssues(snapshot.account, now),
    ...snapshot.endpoints.flatMap((endpoint) => endpointIssues(endpoint, now)),
    ...keyIssues(snapshot.keys, now),
    ...dataIssues(snapshot.datasets),
    ...(snapshot.hasSecondFactor ? [] : [NO_SECOND_FACTOR]),
  ].toSorted((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

function accountIssues({ state, suspendedAt, quotas }: Account, now: number): Issue[] {
  const suspended: Issue[] =
    state === 'suspended'
      ? [
          {
            id: 'suspended',
            tone: 'bad',
            to: null,
            title: 'The account is suspended',
            text: `All API keys have been rejected${suspendedAt === null ? '' : ` since ${formatNewYork(suspendedAt)}`}. The operator of this service can reactivate it.`,
          },
        ]
      : [];
  return [...suspended, ...quotas.flatMap((quota) => quotaIssues(quota, now))];
}

function quotaIssues(quota: Account['quotas'][number], now: number): Issue[] {
  const { window, used, limit, resetAt } = quota;
  const { fullAt, usedShare } = paceOf(quota, now);
  const id = `quota ${window}`;
  const begins = formatNewYork(resetAt);
  if (used >= limit) {
    const text = `All ${formatCount(limit)} requests are used. Further requests are rejected until ${begins}.`;
    return [{ id, tone: 'bad', to: '/usage', title: `${WINDOWS[window]} quota exceeded`, text }];
  }
  if (fullAt !== null && usedShare >= 0.5) {
    const when = formatDistance(new Date(fullAt).toISOString(), now);
    const text = `${formatCount(used)} of ${formatCount(limit)} requests are used. At the current rate, the quota runs out ${when}. It resets at ${begins}.`;
    return [
      { id, tone: 'warn', to: '/usage', title: `${WINDOWS[window]} quota may run out`, text },
    ];
  }
  if (usedShare < SHARE_HIGH) return [];
  const text = `${formatCount(limit - used)} requests remain until ${begins}.`;
  const title = `${WINDOWS[window]} quota ${formatShare(usedShare)} used`;
  return [{ id, tone: 'warn', to: '/usage', title, text }];
}

function endpointIssues(endpoint: WebhookEndpoint, now: number): Issue[] {
  const { id, state, disabledReason, failingSince, failureCount } = endpoint;
  const name = endpointName(endpoint);
  if (state === 'disabled' && (disabledReason === 'failing' || disabledReason === 'gone')) {
    const reason =
      disabledReason === 'gone' ? 'it responded with 410 Gone' : 'all attempts failed for days';
    return [
      {
        id,
        tone: 'bad',
        to: '/webhooks',
        title: `Endpoint ${name} is disabled`,
        text: `It was disabled because ${reason}. Deliveries are paused until you enable it.`,
      },
    ];
  }
  if (state === 'disabled' || failingSince === null) return [];
  return [
    {
      id,
      tone: 'bad',
      to: '/webhooks',
      title: `Endpoint ${name} is failing`,
      text: `${failureCount === 1 ? 'The last attempt failed' : `${formatCount(failureCount)} attempts in a row failed, the first`} ${formatDistance(failingSince, now)}. Deliveries are retried with increasing delays.`,
    },
  ];
}

function keyIssues(keys: readonly Key[], now: number): Issue[] {
  return keys
    .filter(({ state }) => state === 'active')
    .flatMap((key): Issue[] => {
      const name = key.name === '' ? `…${key.last4}` : key.name;
      const { id, expiresAt, lastUsedAt, createdAt } = key;
      if (expiresAt !== null && Date.parse(expiresAt) - now < EXPIRES_SOON_MS) {
        const text = `It expires at ${formatNewYork(expiresAt)}. Roll it to switch without downtime.`;
        const title = `API key ${name} expires ${formatDistance(expiresAt, now)}`;
        return [{ id, tone: 'warn', to: '/keys', title, text }];
      }
      if (now - Date.parse(lastUsedAt ?? createdAt) <= UNUSED_MS) return [];
      const text = 'It hasn’t been used for 30 days. Revoke keys that you no longer need.';
      return [{ id, tone: 'plain', to: '/keys', title: `API key ${name} is unused`, text }];
    });
}

function dataIssues(datasets: readonly DatasetFreshness[]): Issue[] {
  const late = datasets.filter(({ state }) => state === 'late' || state === 'failing');
  if (late.length === 0) return [];
  const names = late.map(({ dataset }) => dataset.replaceAll('-', ' ')).join(', ');
  return [
    {
      id: 'data',
      tone: 'warn',
      to: null,
      title: `Delayed data: ${names}`,
      text: 'Responses contain the latest known data. See the status page for details.',
    },
  ];
}

const NO_SECOND_FACTOR: Issue = {
  id: 'second-factor',
  tone: 'plain',
  to: '/security',
  title: 'Two-factor authentication is off',
  text: 'It protects your account if your password is lost. You need an authenticator app.',
};
