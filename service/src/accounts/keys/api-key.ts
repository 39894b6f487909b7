import type { Plan } from '../../domain/plan.ts';
import type { Instant } from '../../platform/instant.ts';

/** `read`: the data. `manage`: what its customer may do on the dashboard. */
export type KeyScope = 'read' | 'manage';

/** A key as the service knows it: never the key itself. */
export interface ApiKey {
  id: string;
  customerId: string;
  customerName: string;
  plan: Plan;
  /** What its owner calls it; may be empty. */
  name: string;
  scopes: readonly KeyScope[];
  /** Addresses it may be used from, as CIDR blocks; null is from anywhere. */
  allowedCidrs: readonly string[] | null;
  /** SHA-256 of the key, hexadecimal. */
  hash: string;
  prefix: string;
  last4: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  disabledAt: Instant | null;
  revokedAt: Instant | null;
  /** When its customer was suspended; null while in good standing. */
  suspendedAt: Instant | null;
}

export type KeyState = 'active' | 'expired' | 'disabled' | 'revoked' | 'suspended';

/** How a key stands, in one word for lists: what ends it for good before what may pass. */
export function keyState(
  key: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'disabledAt' | 'suspendedAt'>,
  now: Instant,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && now >= key.expiresAt) return 'expired';
  if (key.disabledAt !== null) return 'disabled';
  return key.suspendedAt === null ? 'active' : 'suspended';
}
