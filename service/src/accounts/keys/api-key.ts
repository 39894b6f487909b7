import type { Instant } from '../../platform/instant.ts';

/** A key as the service knows it: never the key itself. */
export interface ApiKey {
  id: string;
  customerId: string;
  customerName: string;
  plan: string;
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
