import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { type KeyRefusal, keyRefusal } from '../../accounts/keys/key-refusal.ts';
import type { ApiKeyCache } from '../../accounts/keys/api-key-cache.ts';
import type { FailedAuthLimiter } from '../../metering/failed-auth-limiter.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { ReadRequest } from '../response/http-response.ts';
import { problem, type Problem } from '../problems.ts';
import type { SecurityEvents } from '../security-events.ts';
import { readApiKey } from './api-key.ts';
import type { QueryPair } from './query-string.ts';

export interface Authenticator {
  keys: ApiKeyCache;
  failedAuthLimiter: FailedAuthLimiter;
  /** False to reject keys in URLs. Default: true. */
  allowsKeysInUrls?: boolean | undefined;
  /** Receives rejected keys. */
  security?: SecurityEvents | undefined;
}

/**
 * Returns the API key of a request, or the reason for rejecting it. Only invalid keys count toward
 * an address's limit, so a valid key works even if someone at the same address is guessing keys.
 */
export function authenticate(
  { keys, failedAuthLimiter, security, allowsKeysInUrls }: Authenticator,
  request: ReadRequest,
  credentials: {
    /** The key that `splitUrl` removed from the URL. */
    keyInUrl: string | null;
    query: readonly QueryPair[];
    now: Instant;
  },
): { key: ApiKey } | { refusal: Problem } {
  const { headers } = request;
  const { keyInUrl, query, now } = credentials;
  let text = keyInUrl;
  const isUrlOnly = headers.authorization === undefined && headers['x-api-key'] === undefined;
  const isInQuery = query.some((pair) => pair.name === 'apikey');
  if (allowsKeysInUrls === false && (text !== null || isInQuery)) return { refusal: KEY_IN_URL };
  if (text === null || !isUrlOnly || isInQuery) {
    const inUrl = text === null ? [] : [{ name: 'apikey', value: text }];
    const presented = readApiKey(headers, [...inUrl, ...query]);
    if ('refusal' in presented) return presented;
    text = presented.text;
  }
  const address = request.remoteAddress;
  const key = keys.find(text);
  const use = { now, address, scope: 'read' } as const;
  const refusal = key === null ? 'invalid-api-key' : keyRefusal(key, use);
  if (key !== null && refusal === null) return { key };
  if (refusal === 'customer-moved') return { refusal: customerMoved(key?.move ?? null) };
  if (key !== null) reportMisuse(security, key, refusal, address);
  if (refusal !== null && refusal !== 'invalid-api-key') return REFUSALS[refusal];
  security?.record('wrong_key', address);
  return { refusal: rejectInvalidKey(failedAuthLimiter, use) };
}

const KEY_IN_URL = problem(
  'invalid-parameter',
  'This service accepts the API key only in a header: X-Api-Key or Authorization: Bearer.',
  { members: { parameter: 'apikey' } },
);

/** Reports a valid key that is used outside of its addresses or scopes, as a stolen one may be. */
export function reportMisuse(
  security: SecurityEvents | undefined,
  { id, customerId }: Pick<ApiKey, 'id' | 'customerId'>,
  refusal: KeyRefusal | null,
  address: string,
): void {
  if (refusal !== 'ip-not-allowed' && refusal !== 'insufficient-scope') return;
  security?.record('key_misused', address, { caller: id, customerId });
}

/**
 * Returns the problem for an invalid key. Counts the failure unless the address is over its limit.
 */
export function rejectInvalidKey(
  failedAuthLimiter: FailedAuthLimiter,
  { address, now }: { address: string; now: Instant },
): Problem {
  const waitSeconds = failedAuthLimiter.waitSeconds(address);
  if (waitSeconds > 0) return tooManyFailures(failedAuthLimiter.burst, now, waitSeconds);
  failedAuthLimiter.recordFailure(address);
  return REFUSALS['invalid-api-key'].refusal;
}

/** A limiter that never limits an address. */
export const NO_FAILED_AUTH_LIMIT: FailedAuthLimiter = {
  waitSeconds: () => 0,
  recordFailure: () => undefined,
  burst: Number.POSITIVE_INFINITY,
};

function tooManyFailures(limit: number, now: Instant, waitSeconds: number): Problem {
  const detail =
    `Too many requests with an invalid API key from your address. ` +
    `Retry in ${waitSeconds} seconds.`;
  return problem('rate-limited', detail, {
    members: {
      violatedPolicies: ['wrong-keys'],
      limit,
      resetAt: formatInstant(now + waitSeconds * 1_000),
      retryable: true,
    },
    headers: ['Retry-After', String(waitSeconds)],
  });
}

/** Returns the problem for a key whose customer belongs to another cell now. */
export function customerMoved(move: ApiKey['move']): Problem {
  return problem('customer-moved', 'The account has moved.', {
    members: { cell: move?.cell ?? null, movedTo: move?.url ?? null },
  });
}

/** Returns the problem for a key whose customer is being moved. */
export function customerMoving(): Problem {
  return problem('customer-moving', 'The account is moving. Retry in a second.', {
    headers: ['Retry-After', '1'],
  });
}

/**
 * Malformed, unknown, revoked and expired keys all receive the same response body, so that it
 * discloses nothing.
 */
const REFUSALS: Readonly<Record<KeyRefusal, { refusal: Problem }>> = {
  'invalid-api-key': { refusal: problem('invalid-api-key', 'The API key is invalid.') },
  'api-key-disabled': { refusal: problem('api-key-disabled', 'The API key is disabled.') },
  'customer-moving': { refusal: customerMoving() },
  'customer-moved': { refusal: customerMoved(null) },
  'customer-suspended': { refusal: problem('customer-suspended', 'The account is suspended.') },
  'ip-not-allowed': {
    refusal: problem('ip-not-allowed', 'The API key may not be used from your IP address.'),
  },
  'insufficient-scope': {
    refusal: problem(
      'insufficient-scope',
      'Reading data requires an API key with the `read` scope.',
    ),
  },
};
