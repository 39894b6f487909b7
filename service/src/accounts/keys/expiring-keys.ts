import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/** A key that expires soon, without its secret characters. */
export interface ExpiringKey {
  id: string;
  customer: string;
  last4: string;
  expiresAt: Instant;
}

/**
 * Returns the active keys that expire between two instants, earliest first. Rolled keys are
 * excluded.
 */
export async function loadExpiringKeys(
  db: Queryable,
  now: Instant,
  until: Instant,
): Promise<ExpiringKey[]> {
  // Scans the keys table, which is small.
  return db.query<ExpiringKey & Record<string, unknown>>(
    `select k.id, c.name as customer, k.last4, k.expires_at as "expiresAt"
       from api_key k join customer c on c.id = k.customer_id
      where k.revoked_at is null and k.disabled_at is null and k.deleted_at is null
        and k.rolled_to is null and c.deleted_at is null
        and k.expires_at > to_timestamp($1 / 1000.0) and k.expires_at <= to_timestamp($2 / 1000.0)
      order by k.expires_at, k.id`,
    [now, until],
  );
}
