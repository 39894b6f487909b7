import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { keyRefusal } from '../../accounts/keys/key-refusal.ts';
import type { KeyRefusal } from '../../accounts/keys/key-refusal.ts';
import type { KeyRing } from '../../accounts/keys/key-ring.ts';
import type { Instant } from '../../platform/instant.ts';
import type { ReadRequest } from '../answer/answer.ts';
import { problem } from '../problems.ts';
import type { Problem } from '../problems.ts';
import { presentedKey } from './presented-key.ts';
import type { QueryPair } from './query-string.ts';

/** The key of a request, or why it will not do; `cut` is the key that was cut out of the address. */
export function findKey(
  keys: KeyRing,
  request: ReadRequest,
  sent: { cut: string | null; query: readonly QueryPair[]; now: Instant },
): { key: ApiKey } | { refusal: Problem } {
  const { headers } = request;
  let text = sent.cut;
  const isPlain = headers.authorization === undefined && headers['x-api-key'] === undefined;
  if (text === null || !isPlain || sent.query.some((pair) => pair.name === 'apikey')) {
    const cut = text === null ? [] : [{ name: 'apikey', value: text }];
    const presented = presentedKey(headers, [...cut, ...sent.query]);
    if ('refusal' in presented) return presented;
    text = presented.text;
  }
  const key = keys.find(text);
  if (key === null) return REFUSALS['invalid-api-key'];
  const visit = { now: sent.now, address: request.remoteAddress, scope: 'read' } as const;
  const refusal = keyRefusal(key, visit);
  return refusal === null ? { key } : REFUSALS[refusal];
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
