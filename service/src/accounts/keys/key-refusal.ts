import type { Instant } from '../../platform/instant.ts';
import type { ApiKey, KeyScope } from './api-key.ts';
import { type Block, isAddressWithin, parseBlock } from './cidr.ts';

export type KeyRefusal =
  | 'invalid-api-key'
  | 'api-key-disabled'
  | 'customer-moving'
  | 'customer-moved'
  | 'customer-suspended'
  | 'ip-not-allowed'
  | 'insufficient-scope';

/**
 * Returns why a known key is rejected, or null if it is accepted. Revoked and expired keys are
 * reported as unknown. A disabled key is reported before anything about its customer, and a caller
 * from a disallowed address learns nothing about scopes.
 */
export function keyRefusal(
  key: ApiKey,
  request: { now: Instant; address: string; scope: KeyScope },
): KeyRefusal | null {
  if (key.revokedAt !== null) return 'invalid-api-key';
  if (key.expiresAt !== null && request.now >= key.expiresAt) return 'invalid-api-key';
  if (key.disabledAt !== null) return 'api-key-disabled';
  if (key.move !== null) return key.move.hasMoved ? 'customer-moved' : 'customer-moving';
  if (key.suspendedAt !== null) return 'customer-suspended';
  if (key.allowedCidrs !== null && !isAddressWithin(request.address, blocksOf(key.allowedCidrs))) {
    return 'ip-not-allowed';
  }
  return key.scopes.includes(request.scope) ? null : 'insufficient-scope';
}

/** Caches the parsed blocks of each key record. */
const blocksByCidrs = new WeakMap<readonly string[], readonly Block[]>();

function blocksOf(cidrs: readonly string[]): readonly Block[] {
  const cached = blocksByCidrs.get(cidrs);
  if (cached !== undefined) return cached;
  const blocks = cidrs.map(parseBlock);
  blocksByCidrs.set(cidrs, blocks);
  return blocks;
}
