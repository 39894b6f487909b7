import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

/** Number of requests from one key to one endpoint with one status in one UTC hour. */
export interface UsageCount {
  customerId: string;
  keyId: string;
  endpoint: string;
  status: number;
  hourAt: Instant;
  requests: number;
}

/**
 * Adds to the stored counts. Several counts may have the same key: those of a failed write are
 * repeated together with newer ones. Skips customers that were deleted before the write.
 */
export async function addUsage(db: Queryable, counts: readonly UsageCount[]): Promise<void> {
  const rows = counts.map((count) => ({
    customer_id: count.customerId,
    hour: new Date(count.hourAt).toISOString(),
    key_id: count.keyId,
    endpoint: count.endpoint,
    status: count.status,
    requests: count.requests,
  }));
  // Rows are sorted by primary key, so that processes that add to the same hours never deadlock.
  await db.query(
    `insert into usage_hour
     select customer_id, hour, key_id, endpoint, status, sum(requests)::int8 from jsonb_to_recordset($1::jsonb) as new (
       customer_id text, hour timestamptz, key_id text, endpoint text, status int2, requests int8)
     where not exists (select 1 from customer where customer.id = new.customer_id and deleted_at is not null)
     group by customer_id, hour, key_id, endpoint, status
     order by customer_id, hour, key_id, endpoint, status
     on conflict (customer_id, hour, key_id, endpoint, status)
       do update set requests = usage_hour.requests + excluded.requests`,
    [JSON.stringify(rows)],
  );
}

/** Deletes hours before an instant. */
export async function pruneUsage(db: Queryable, cutoff: Instant): Promise<void> {
  // Uses the index on hour.
  await db.query('delete from usage_hour where hour < to_timestamp($1 / 1000.0)', [cutoff]);
}

export interface UsageQuery {
  /** Null for all customers. */
  customerId: string | null;
  from: Instant;
  /** End of the time range, exclusive. */
  to: Instant;
  /** UTC hours, or New York days of 23 to 25 hours. */
  interval: 'hour' | 'day';
  /** Dimension by which each hour or day is broken down. */
  split: 'none' | 'endpoint' | 'status' | 'status-class' | 'key';
  keyId?: string | undefined;
  endpoint?: string | undefined;
}

export interface UsageSlice {
  /** Start of the hour or day. */
  at: Instant;
  /** The endpoint, status (`404`), status class (`4xx`) or key id. Empty without a breakdown. */
  name: string;
  requests: number;
}

/** Returns the usage ordered by time, then name. Hours and days without requests are omitted. */
export async function loadUsage(db: Queryable, query: UsageQuery): Promise<UsageSlice[]> {
  const { customerId, from, to, interval, split, keyId = null, endpoint = null } = query;
  // Returns one row per time and name. Uses the primary key for one customer, otherwise the index
  // on hour. Hours are summed before they are converted to days, because the conversion is
  // expensive. `interval` and `split` only select fixed texts.
  return db.query<UsageSlice & Row>(
    `select date_trunc('${interval}', hour, '${interval === 'day' ? 'America/New_York' : 'UTC'}') as at,
            name, sum(requests)::int8 as requests
     from (select hour, ${NAMES[split]} as name, sum(requests) as requests
     from usage_hour
     where ($1::text is null or customer_id = $1)
       and hour >= to_timestamp($2 / 1000.0) and hour < to_timestamp($3 / 1000.0)
       and ($4::text is null or key_id = $4) and ($5::text is null or endpoint = $5)
     group by 1, 2) hours
     group by 1, 2 order by 1, 2`,
    [customerId, from, to, keyId, endpoint],
  );
}

const NAMES = {
  none: `''`,
  endpoint: 'endpoint',
  status: 'status::text',
  'status-class': `(status / 100)::text || 'xx'`,
  key: 'key_id',
} as const;

export interface CustomerRequests {
  customerId: string;
  /** Null if the customer was deleted from the store. */
  name: string | null;
  requests: number;
  /** Number of requests with a 4xx or 5xx response. */
  failed: number;
}

/**
 * Returns the customers with the most requests between two hours, ordered by number of requests.
 * The end is exclusive.
 */
export async function loadTopCustomers(
  db: Queryable,
  { from, to, limit }: { from: Instant; to: Instant; limit: number },
): Promise<CustomerRequests[]> {
  // Returns one row per customer with requests in the range, using the index on hour.
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
