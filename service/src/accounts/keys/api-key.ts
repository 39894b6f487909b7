import type { ReadLimits } from '../../domain/plan.ts';
import type { Instant } from '../../platform/instant.ts';

/**
 * `read` grants access to the data; `manage` grants everything the customer can do on the
 * dashboard.
 */
export type KeyScope = 'read' | 'manage';

/** A stored API key. The key text itself is never stored. */
export interface ApiKey {
  id: string;
  customerId: string;
  customerName: string;
  plan: ReadLimits;
  /** Display name; may be empty. */
  name: string;
  scopes: readonly KeyScope[];
  /** CIDR blocks from which the key may be used; null for any address. */
  allowedCidrs: readonly string[] | null;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  prefix: string;
  last4: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  disabledAt: Instant | null;
  revokedAt: Instant | null;
  /** Time when the customer was suspended; null if it is not suspended. */
  suspendedAt: Instant | null;
  /** The move of the customer to or from another cell; null if it stays. */
  move: CustomerMove | null;
}

/** A customer that is handed over to another cell, or was. */
export interface CustomerMove {
  hasMoved: boolean;
  /** The name and address of the new cell, once the customer has moved. */
  cell: string | null;
  url: string | null;
}

export type KeyState = 'active' | 'expired' | 'disabled' | 'revoked' | 'suspended';

/** Returns the state shown in lists. Permanent states take precedence over temporary ones. */
export function keyState(
  key: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'disabledAt' | 'suspendedAt'>,
  now: Instant,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && now >= key.expiresAt) return 'expired';
  if (key.disabledAt !== null) return 'disabled';
  return key.suspendedAt === null ? 'active' : 'suspended';
}
