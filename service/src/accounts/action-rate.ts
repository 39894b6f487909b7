import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';

const MINUTE_MS = 60_000;

/** Result for an action that exceeds a limit per minute. */
export interface RateLimited {
  kind: 'too-many';
  retryAfterSeconds: number;
}

/**
 * Rate-limits a customer's actions by counting its audit events, so that the limit applies across
 * processes and restarts.
 */
export async function checkActionRate(
  db: Queryable,
  { customerId, prefix, perMinute, now }: ActionLimit,
): Promise<RateLimited | null> {
  // Returns the oldest of the last `perMinute` actions if all of them happened in the last minute.
  // Uses index `audit_event_by_customer`.
  const rows = await db.query<{ at: Instant }>(
    `select at from (select at, act from audit_event where customer_id = $1
                      order by id desc limit 1000) as newest
      where starts_with(act, $2) and at > to_timestamp($3 / 1000.0)
      order by at desc limit 1 offset $4`,
    [customerId, prefix, now - MINUTE_MS, perMinute - 1],
  );
  const [oldest] = rows;
  if (oldest === undefined) return null;
  const waitMs = oldest.at + MINUTE_MS - now;
  return { kind: 'too-many', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

interface ActionLimit {
  customerId: string;
  /** Only actions whose name starts with this prefix are counted. */
  prefix: string;
  perMinute: number;
  now: Instant;
}
