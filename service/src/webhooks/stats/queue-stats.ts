import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { IN_FLIGHT, NOT_IN_FLIGHT } from '../queue/in-flight.ts';

/** The state of the delivery queue. */
export interface QueueStats {
  /**
   * Number of due deliveries, counted up to 100,000. Excludes suspended customers, whose deliveries
   * are held back on purpose.
   */
  due: number;
  /**
   * Age of the oldest due delivery among the first 20,000 endpoints with pending deliveries.
   * Excludes suspended customers.
   */
  oldestDueSeconds: number;
  /** Number of attempts in flight in all processes. */
  inFlight: number;
  /**
   * Number of changed symbols for which deliveries to some subscribers have not been created yet.
   */
  toTell: number;
  /**
   * Number of enabled endpoints on probation, because the last attempt failed or none has been made
   * yet.
   */
  slowEndpoints: number;
  /** Number of enabled endpoints that are failing. */
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
  // Returns one row. Counts due deliveries with index `delivery_due`, and finds the oldest with one
  // step down that index per endpoint. Also reads three small tables.
  // With a million pending deliveries for 1,000 endpoints, this took 53 ms on PostgreSQL.
  const [row] = await db.query<QueueStats & Row>(
    `with recursive lane as (
       (select endpoint_id, due_at, 1 as step from delivery
         where state in ('pending', 'retrying') and id ${NOT_IN_FLIGHT}
         order by endpoint_id, due_at limit 1)
       union all
       select n.endpoint_id, n.due_at, l.step + 1 from lane l cross join lateral (
         select endpoint_id, due_at from delivery
          where state in ('pending', 'retrying') and endpoint_id > l.endpoint_id
            and id ${NOT_IN_FLIGHT}
          order by endpoint_id, due_at limit 1) n
        where l.step < ${STEPS_MAX}),
     suspended as materialized (
       select e.id from webhook_endpoint e join customer c on c.id = e.customer_id
        where c.suspended_at is not null)
     select (select count(*) from (
               select 1 from delivery
                where state in ('pending', 'retrying') and due_at <= to_timestamp($1 / 1000.0)
                  and id ${NOT_IN_FLIGHT}
                  and endpoint_id not in (select id from suspended)
                limit $2) d)::float8 as due,
            greatest(0, coalesce(extract(epoch from
               to_timestamp($1 / 1000.0) - (select min(due_at) from lane
                 where endpoint_id not in (select id from suspended))), 0))::float8
              as "oldestDueSeconds",
            (select count(*) from ${IN_FLIGHT} f)::float8 as "inFlight",
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
