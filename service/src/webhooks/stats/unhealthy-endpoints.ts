import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { NOT_IN_FLIGHT } from '../queue/in-flight.ts';

/** An endpoint with overdue deliveries or failures. */
export interface UnhealthyEndpoint {
  endpointId: string;
  customerId: string;
  url: string;
  isSlow: boolean;
  failingSince: Instant | null;
  failureCount: number;
  lastSuccessAt: Instant | null;
  /** Null if no delivery is due. */
  oldestDueAt: Instant | null;
}

/**
 * Returns enabled endpoints of active customers: first those with the oldest due deliveries, then
 * those that have been failing the longest.
 */
export async function loadUnhealthyEndpoints(
  db: Queryable,
  { now, limit }: { now: Instant; limit: number },
): Promise<UnhealthyEndpoint[]> {
  // Returns at most `limit` rows. Scans endpoints and customers, and takes one step down index
  // `delivery_due` for each endpoint.
  return db.query<UnhealthyEndpoint & Row>(
    `select e.id as "endpointId", e.customer_id as "customerId", e.url, e.is_slow as "isSlow",
            e.failing_since as "failingSince", e.failure_count as "failureCount",
            e.last_success_at as "lastSuccessAt", d.due_at as "oldestDueAt"
       from webhook_endpoint e
       join customer c on c.id = e.customer_id and c.suspended_at is null
       left join lateral (
         select due_at from delivery
          where endpoint_id = e.id and state in ('pending', 'retrying')
            and due_at <= to_timestamp($1 / 1000.0) and id ${NOT_IN_FLIGHT}
          order by due_at limit 1) d on true
      where e.deleted_at is null and e.disabled_at is null
        and (d.due_at is not null or e.failing_since is not null)
      order by d.due_at nulls last, e.failing_since, e.id limit $2`,
    [now, limit],
  );
}
