import type { Transaction } from '../../storage/db.ts';
import type { Actor } from '../audit-log.ts';
import { invalid, type Invalid } from '../deps.ts';
import { isBlockWithin } from './cidr.ts';
import { findKey } from './key-store.ts';
import type { KeyTerms } from './key-settings.ts';

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
