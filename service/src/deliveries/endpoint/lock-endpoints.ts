import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import type { AlertKind, EndpointHealth } from './endpoint-health.ts';

/** An endpoint as the engine sees it, locked until the transaction ends. */
export interface LockedEndpoint {
  id: string;
  customerId: string;
  url: string;
  isDev: boolean;
  isDisabled: boolean;
  isDeleted: boolean;
  health: EndpointHealth;
}

/**
 * Locks endpoints in order of ids, as everybody does who opens, claims, finishes or closes their
 * deliveries: so nobody sees half of it, and no two wait for each other. With `skipLocked` those that
 * somebody else holds are left out.
 */
export async function lockEndpoints(
  tx: Transaction,
  ids: readonly string[],
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<Map<string, LockedEndpoint>> {
  if (ids.length === 0) return new Map();
  // One row an endpoint, by the primary key.
  const rows = await tx.query<EndpointRow>(
    `select e.id, e.customer_id, e.url, e.is_dev, e.disabled_at is not null as is_disabled,
            e.deleted_at is not null as is_deleted, e.is_slow, e.last_success_at,
            e.last_failure_at, e.failure_count, e.failing_since, e.failing_delivery,
            e.failing_several, e.alerted
       from webhook_endpoint e where e.id = any($1::text[])
      order by e.id for no key update ${skipLocked ? 'skip locked' : ''}`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, readEndpoint(row)]));
}

/** Writes how an endpoint fared. */
export async function writeHealth(
  tx: Transaction,
  endpointId: string,
  health: EndpointHealth,
): Promise<void> {
  // One row, by the primary key.
  await tx.query(
    `update webhook_endpoint
        set is_slow = $2, last_success_at = to_timestamp($3 / 1000.0),
            last_failure_at = to_timestamp($4 / 1000.0), failure_count = $5,
            failing_since = to_timestamp($6 / 1000.0), failing_delivery = $7,
            failing_several = $8, alerted = $9::text[]
      where id = $1`,
    [
      ...[endpointId, health.isSlow, health.lastSuccessAt, health.lastFailureAt],
      ...[health.failureCount, health.failingSince, health.failingDelivery],
      ...[health.failingSeveral, health.alerted],
    ],
  );
}

interface EndpointRow extends Row {
  id: string;
  customer_id: string;
  url: string;
  is_dev: boolean;
  is_disabled: boolean;
  is_deleted: boolean;
  is_slow: boolean;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  failure_count: number;
  failing_since: Instant | null;
  failing_delivery: string | null;
  failing_several: boolean;
  alerted: AlertKind[];
}

function readEndpoint(row: EndpointRow): LockedEndpoint {
  return {
    id: row.id,
    customerId: row.customer_id,
    url: row.url,
    isDev: row.is_dev,
    isDisabled: row.is_disabled,
    isDeleted: row.is_deleted,
    health: {
      isSlow: row.is_slow,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
      failureCount: row.failure_count,
      failingSince: row.failing_since,
      failingDelivery: row.failing_delivery,
      failingSeveral: row.failing_several,
      alerted: row.alerted,
    },
  };
}
