import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

export interface CustomerRequests {
  customerId: string;
  /** Null for a customer that is not in the store any more. */
  name: string | null;
  requests: number;
  /** Those answered with a 4xx or 5xx. */
  failed: number;
}

/** Who asked the most from one hour to another, without it; the busiest first. */
export async function loadTopCustomers(
  db: Queryable,
  { from, to, limit }: { from: Instant; to: Instant; limit: number },
): Promise<CustomerRequests[]> {
  // One row per customer with requests in that time; by the index on hour.
  return db.query<CustomerRequests & Row>(
    `select top.customer_id as "customerId", customer.name, requests::int8, failed::int8
       from (select customer_id, sum(requests) as requests,
                    coalesce(sum(requests) filter (where status >= 400), 0) as failed
               from usage_hour
              where hour >= to_timestamp($1 / 1000.0) and hour < to_timestamp($2 / 1000.0)
              group by 1 order by 2 desc, 1 limit $3) top
       left join customer on customer.id = top.customer_id
      order by top.requests desc, 1`,
    [from, to, limit],
  );
}
