import type { Instant } from '../../platform/instant.ts';
import type { ApiKey } from './api-key.ts';

export type KeyState = 'active' | 'expired' | 'disabled' | 'revoked' | 'suspended';

/** How a key stands, in one word for lists: what ends it for good before what may pass. */
export function stateOfKey(
  key: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'disabledAt' | 'suspendedAt'>,
  now: Instant,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && now >= key.expiresAt) return 'expired';
  if (key.disabledAt !== null) return 'disabled';
  return key.suspendedAt === null ? 'active' : 'suspended';
}
