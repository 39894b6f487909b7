import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';

/** How the queue stands, for the metrics. */
export interface QueueStats {
  /** Counted up to 100,000; without those of suspended customers, which wait on purpose. */
  due: number;
  /** Of the same; of the first 20,000 endpoints with anything that waits. */
  oldestDueSeconds: number;
  /** Under way, from all processes. */
  inFlight: number;
  /** Companies whose subscribers are not all told yet. */
  toTell: number;
  /** Not answered 2xx at their last attempt, or never tried yet. */
  slowEndpoints: number;
  /** Of those that are not disabled. */
  failingEndpoints: number;
  disabledEndpoints: number;
}

const DUE_MAX = 100_000;
const STEPS_MAX = 20_000;

export async function loadQueueStats(
  db: Queryable,
  now: Instant,
  dueMax = DUE_MAX,
): Promise<QueueStats> {
  // One row. What is due is counted in index delivery_due, at most so many; the oldest is found by
  // one step down the same index for each endpoint, both less the few endpoints of suspended
  // customers; the rest are index delivery_in_flight and two
  // small tables. With a million that wait for 1,000 endpoints it took 53 ms on PostgreSQL.
  const [row] = await db.query<QueueStats & Row>(
    `with recursive lane as (
       (select endpoint_id, due_at, 1 as step from delivery
         where state in ('pending', 'retrying') order by endpoint_id, due_at limit 1)
       union all
       select n.endpoint_id, n.due_at, l.step + 1 from lane l cross join lateral (
         select endpoint_id, due_at from delivery
          where state in ('pending', 'retrying') and endpoint_id > l.endpoint_id
          order by endpoint_id, due_at limit 1) n
        where l.step < ${STEPS_MAX}),
     suspended as materialized (
       select e.id from webhook_endpoint e join customer c on c.id = e.customer_id
        where c.suspended_at is not null)
     select (select count(*) from (
               select 1 from delivery
                where state in ('pending', 'retrying') and due_at <= to_timestamp($1 / 1000.0)
                  and endpoint_id not in (select id from suspended)
                limit $2) d)::float8 as due,
            greatest(0, coalesce(extract(epoch from
               to_timestamp($1 / 1000.0) - (select min(due_at) from lane
                 where endpoint_id not in (select id from suspended))), 0))::float8
              as "oldestDueSeconds",
            (select count(*) from delivery where state = 'in_progress')::float8 as "inFlight",
            (select count(*) from webhook_fan_out)::float8 as "toTell",
            e.slow::float8 as "slowEndpoints",
            e.failing::float8 as "failingEndpoints", e.disabled::float8 as "disabledEndpoints"
       from (select count(*) filter (where is_slow and disabled_at is null) as slow,
                    count(*) filter (where failing_since is not null and disabled_at is null)
                      as failing,
                    count(*) filter (where disabled_at is not null) as disabled
               from webhook_endpoint where deleted_at is null) e`,
    [now, dueMax],
  );
  if (row === undefined) throw new Error('figures of the queue are one row');
  return row;
}
