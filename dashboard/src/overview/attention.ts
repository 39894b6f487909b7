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

/** Something to look at; `to` is the screen where it can be mended. */
export interface Concern {
  id: string;
  /** Worst first: `bad` stops something now, `warn` may soon, `plain` is a hint. */
  tone: 'bad' | 'warn' | 'plain';
  title: string;
  text: string;
  to: '/usage' | '/keys' | '/webhooks' | '/security' | null;
}

export interface Seen {
  account: Account;
  keys: readonly Key[];
  endpoints: readonly WebhookEndpoint[];
  datasets: readonly DatasetFreshness[];
  hasSecondFactor: boolean;
}

const ORDER = { bad: 0, warn: 1, plain: 2 } as const;

/** What of an account needs attention, the worst first. */
export function concernsOf(seen: Seen, now: number): Concern[] {
  return [
    ...ofAccount(seen.account, now),
    ...seen.endpoints.flatMap((endpoint) => ofEndpoint(endpoint, now)),
    ...ofKeys(seen.keys, now),
    ...ofData(seen.datasets),
    ...(seen.hasSecondFactor ? [] : [NO_SECOND_FACTOR]),
  ].toSorted((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

function ofAccount({ state, suspendedAt, quotas }: Account, now: number): Concern[] {
  const suspended: Concern[] =
    state === 'suspended'
      ? [
          {
            id: 'suspended',
            tone: 'bad',
            to: null,
            title: 'The account is suspended',
            text: `All keys are refused${suspendedAt === null ? '' : ` since ${formatNewYork(suspendedAt)}`}. Whoever runs this service can resume it.`,
          },
        ]
      : [];
  return [...suspended, ...quotas.flatMap((quota) => ofQuota(quota, now))];
}

function ofQuota(quota: Account['quotas'][number], now: number): Concern[] {
  const { window, used, limit, resetAt } = quota;
  const { fullAt, usedShare } = paceOf(quota, now);
  const id = `quota ${window}`;
  const begins = formatNewYork(resetAt);
  if (used >= limit) {
    const text = `All ${formatCount(limit)} requests are used: more are refused until ${begins}.`;
    return [{ id, tone: 'bad', to: '/usage', title: `The ${window}’s quota is used up`, text }];
  }
  if (fullAt !== null && usedShare >= 0.5) {
    const when = formatDistance(new Date(fullAt).toISOString(), now);
    const text = `${formatCount(used)} of ${formatCount(limit)} requests are used. Going on so, the rest is used up ${when}; it is whole again at ${begins}.`;
    return [{ id, tone: 'warn', to: '/usage', title: `The ${window}’s quota may not last`, text }];
  }
  if (usedShare < SHARE_HIGH) return [];
  const text = `${formatCount(limit - used)} requests are left until ${begins}.`;
  const title = `${formatShare(usedShare)} of the ${window}’s quota is used`;
  return [{ id, tone: 'warn', to: '/usage', title, text }];
}

function ofEndpoint(endpoint: WebhookEndpoint, now: number): Concern[] {
  const { id, state, disabledReason, failingSince, failureCount } = endpoint;
  const name = endpointName(endpoint);
  if (state === 'disabled' && (disabledReason === 'failing' || disabledReason === 'gone')) {
    const why =
      disabledReason === 'gone' ? 'it answered 410 Gone' : 'every attempt failed for days';
    return [
      {
        id,
        tone: 'bad',
        to: '/webhooks',
        title: `The endpoint ${name} is disabled`,
        text: `It was disabled because ${why}. Deliveries are held until it is enabled again.`,
      },
    ];
  }
  if (state === 'disabled' || failingSince === null) return [];
  return [
    {
      id,
      tone: 'bad',
      to: '/webhooks',
      title: `The endpoint ${name} is failing`,
      text: `${failureCount === 1 ? 'The last attempt failed,' : `${formatCount(failureCount)} attempts failed in a row, the first`} ${formatDistance(failingSince, now)}. Deliveries go on being tried, with longer and longer pauses.`,
    },
  ];
}

function ofKeys(keys: readonly Key[], now: number): Concern[] {
  return keys
    .filter(({ state }) => state === 'active')
    .flatMap((key): Concern[] => {
      const name = key.name === '' ? `…${key.last4}` : key.name;
      const { id, expiresAt, lastUsedAt, createdAt } = key;
      if (expiresAt !== null && Date.parse(expiresAt) - now < EXPIRES_SOON_MS) {
        const text = `It is refused from ${formatNewYork(expiresAt)} on. Roll it to exchange it without a stop.`;
        const title = `The key ${name} ends ${formatDistance(expiresAt, now)}`;
        return [{ id, tone: 'warn', to: '/keys', title, text }];
      }
      if (now - Date.parse(lastUsedAt ?? createdAt) <= UNUSED_MS) return [];
      const text = 'Nobody used it for 30 days. A key that nobody needs is better revoked.';
      return [{ id, tone: 'plain', to: '/keys', title: `The key ${name} is unused`, text }];
    });
}

function ofData(datasets: readonly DatasetFreshness[]): Concern[] {
  const late = datasets.filter(({ state }) => state === 'late' || state === 'failing');
  if (late.length === 0) return [];
  const names = late.map(({ dataset }) => dataset.replaceAll('-', ' ')).join(', ');
  return [
    {
      id: 'data',
      tone: 'warn',
      to: null,
      title: `Data is late: ${names}`,
      text: 'Answers are served from what was known last. The status page says since when.',
    },
  ];
}

const NO_SECOND_FACTOR: Concern = {
  id: 'second-factor',
  tone: 'plain',
  to: '/security',
  title: 'Your sign-in has no second factor',
  text: 'With one, a lost password alone opens nothing. It takes a minute and an authenticator app.',
};
