import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { Actor } from '../audit-log.ts';
import { invalid, type Invalid } from '../deps.ts';
import type { ApiKey, KeyScope } from './api-key.ts';
import { isBlockWithin, readCidr } from './cidr.ts';
import { findKey } from './key-store.ts';

/** What a key's owner decides about it. */
export type KeyTerms = Pick<ApiKey, 'name' | 'scopes' | 'allowedCidrs' | 'expiresAt'>;

/** Read alone, from anywhere, for ever. */
export const PLAIN_TERMS: KeyTerms = {
  name: '',
  scopes: ['read'],
  allowedCidrs: null,
  expiresAt: null,
};

const NAME_LENGTH_MAX = 100;
const CIDRS_MAX = 50;

/** As text comes in: scopes by name, blocks as people write them. */
export interface GivenTerms {
  name?: string;
  scopes?: readonly string[];
  /** Null is from anywhere. */
  allowedCidrs?: readonly string[] | null;
  /** Null is never. */
  expiresAt?: Instant | null;
}

/** The terms that stand, changed by what is given. */
export function readTerms(
  given: GivenTerms,
  standing: KeyTerms,
  now: Instant,
): { kind: 'terms'; terms: KeyTerms } | Invalid {
  const name = (given.name ?? standing.name).trim();
  if (name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    return invalid('name', `a key's name has at most ${NAME_LENGTH_MAX} characters`);
  }
  const scopes = (given.scopes ?? standing.scopes).filter(isScope);
  if (scopes.length === 0 || scopes.length < (given.scopes ?? []).length) {
    return invalid('scopes', 'one or both of read and manage');
  }
  const { expiresAt = standing.expiresAt } = given;
  if (given.expiresAt != null && given.expiresAt <= now) {
    return invalid('expiresAt', 'an instant that is still to come');
  }
  const allowedCidrs =
    given.allowedCidrs === undefined ? standing.allowedCidrs : readCidrs(given.allowedCidrs);
  if (allowedCidrs !== null && 'kind' in allowedCidrs) return allowedCidrs;
  const sorted = (['read', 'manage'] as const).filter((scope) => scopes.includes(scope));
  return { kind: 'terms', terms: { name, scopes: sorted, allowedCidrs, expiresAt } };
}

function readCidrs(given: readonly string[] | null): readonly string[] | null | Invalid {
  if (given === null) return null;
  if (given.length === 0 || given.length > CIDRS_MAX) {
    return invalid('allowedCidrs', `1 to ${CIDRS_MAX} blocks, or null for any address`);
  }
  const read = given.map(readCidr);
  const bad = given[read.indexOf(null)];
  if (bad !== undefined) {
    return invalid(
      'allowedCidrs',
      `${bad} is no block of addresses such as 192.0.2.0/24 or 2001:db8::/32 (bits beyond the length must be 0)`,
    );
  }
  return [...new Set(read.filter((cidr) => cidr !== null))];
}

function isScope(text: string): text is KeyScope {
  return text === 'read' || text === 'manage';
}

/**
 * Refuses terms that a key gives, to itself or another, beyond its own: else a key that is limited
 * to some addresses or to a time lifts its limits. `manage` includes `read`, so scopes need no look.
 * Null when they are within, and for anyone who is no key.
 */
export async function beyondOwnTerms(
  tx: Transaction,
  customerId: string,
  by: Actor,
  given: Partial<KeyTerms>,
): Promise<Invalid | null> {
  if (by.kind !== 'key') return null;
  const own = await findKey(tx, customerId, by.id ?? '');
  if (own === null) return invalid('key', 'the key that asks is gone');
  const { allowedCidrs, expiresAt } = given;
  if (own.allowedCidrs !== null && allowedCidrs !== undefined) {
    const blocks = own.allowedCidrs;
    if (allowedCidrs === null || !allowedCidrs.every((each) => isBlockWithin(each, blocks))) {
      return invalid('allowedCidrs', 'a key gives no addresses beyond its own');
    }
  }
  if (own.expiresAt !== null && expiresAt !== undefined) {
    if (expiresAt === null || expiresAt > own.expiresAt) {
      return invalid('expiresAt', 'a key gives no expiry later than its own');
    }
  }
  return null;
}
