import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

/** How the queue stands, for the metrics. */
export interface QueueFigures {
  /** Counted up to 100,000. */
  due: number;
  oldestDueSeconds: number;
  /** Under way, from all processes. */
  inFlight: number;
  /** Companies whose subscribers are not all told yet. */
  toTell: number;
  slowEndpoints: number;
  disabledEndpoints: number;
}

export async function loadQueueFigures(db: Queryable, now: Instant): Promise<QueueFigures> {
  // One row: the due ones of index delivery_due, index delivery_in_flight, and two small tables.
  const [row] = await db.query<QueueFigures & Row>(
    `select q.due::float8 as due, q."oldestDueSeconds"::float8 as "oldestDueSeconds",
            (select count(*) from delivery where state = 'in_progress')::float8 as "inFlight",
            (select count(*) from webhook_fan_out)::float8 as "toTell",
            e.slow::float8 as "slowEndpoints", e.disabled::float8 as "disabledEndpoints"
       from (select count(*) as due,
                    coalesce(max(extract(epoch from to_timestamp($1 / 1000.0) - due_at)), 0)
                      as "oldestDueSeconds"
               from (select due_at from delivery
                      where state in ('pending', 'retrying')
                        and due_at <= to_timestamp($1 / 1000.0) limit 100000) d) q
      cross join (select count(*) filter (where is_slow and disabled_at is null) as slow,
                         count(*) filter (where disabled_at is not null) as disabled
                    from webhook_endpoint where deleted_at is null) e`,
    [now],
  );
  if (row === undefined) throw new Error('figures of the queue are one row');
  return row;
}
