import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { type KeyRefusal, keyRefusal } from '../../accounts/keys/key-refusal.ts';
import type { KeyRing } from '../../accounts/keys/api-key-cache.ts';
import type { FailedKeys } from '../../metering/failed-auth-limiter.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { ReadRequest } from '../response/http-response.ts';
import { problem, type Problem } from '../problems.ts';
import { readApiKey } from './api-key.ts';
import type { QueryPair } from './query-string.ts';

/** Keys, and who tries keys that are none. */
export interface Authenticator {
  keys: KeyRing;
  failedAuthLimiter: FailedAuthLimiter;
}

export type FailedAuthLimiter = Pick<FailedKeys, 'waitSeconds' | 'failed' | 'burst'>;

/**
 * The key of a request, or why it will not do; `cut` is the key that was cut out of the address.
 * Good keys come in from any address: who shares one with somebody that tries keys is not shut out.
 */
export function authenticate(
  { keys, failedAuthLimiter: strangers }: Authenticator,
  request: ReadRequest,
  sent: { cut: string | null; query: readonly QueryPair[]; now: Instant },
): { key: ApiKey } | { refusal: Problem } {
  const { headers } = request;
  let text = sent.cut;
  const isPlain = headers.authorization === undefined && headers['x-api-key'] === undefined;
  if (text === null || !isPlain || sent.query.some((pair) => pair.name === 'apikey')) {
    const cut = text === null ? [] : [{ name: 'apikey', value: text }];
    const presented = readApiKey(headers, [...cut, ...sent.query]);
    if ('refusal' in presented) return presented;
    text = presented.text;
  }
  const address = request.remoteAddress;
  const key = keys.find(text);
  const visit = { now: sent.now, address, scope: 'read' } as const;
  const refusal = key === null ? 'invalid-api-key' : keyRefusal(key, visit);
  if (key !== null && refusal === null) return { key };
  if (refusal !== null && refusal !== 'invalid-api-key') return REFUSALS[refusal];
  return { refusal: rejectInvalidKey(strangers, visit) };
}

/** To who brought a key that is none: after too many of them, when the next may come. */
export function rejectInvalidKey(
  failedAuthLimiter: FailedAuthLimiter,
  { address, now }: { address: string; now: Instant },
): Problem {
  const waitSeconds = failedAuthLimiter.waitSeconds(address);
  if (waitSeconds > 0) return tooManyKeys(failedAuthLimiter.burst, now, waitSeconds);
  failedAuthLimiter.failed(address);
  return REFUSALS['invalid-api-key'].refusal;
}

/** Nobody is a stranger. */
export const NO_FAILED_AUTH_LIMIT: FailedAuthLimiter = {
  waitSeconds: () => 0,
  failed: () => undefined,
  burst: Number.POSITIVE_INFINITY,
};

function tooManyKeys(limit: number, now: Instant, waitSeconds: number): Problem {
  const detail = `Too many wrong keys came from this address; wait ${waitSeconds} s.`;
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

/** One body for malformed, unknown, revoked and expired: it tells a guesser nothing. */
const REFUSALS: Readonly<Record<KeyRefusal, { refusal: Problem }>> = {
  'invalid-api-key': { refusal: problem('invalid-api-key', 'The API key is not valid.') },
  'api-key-disabled': { refusal: problem('api-key-disabled', 'The API key is disabled.') },
  'customer-suspended': { refusal: problem('customer-suspended', 'The account is suspended.') },
  'ip-not-allowed': {
    refusal: problem('ip-not-allowed', 'The key may not be used from this address.'),
  },
  'insufficient-scope': {
    refusal: problem('insufficient-scope', 'Reading data needs a key with the scope `read`.'),
  },
};
