import type { Instant } from '../../platform/instant.ts';
import { type Sql, sql } from '../../storage/sql.ts';
import { deliveryIdFloor } from '../queue/delivery-id.ts';

/**
 * Attempts that start more than this time after their delivery was created are found by index
 * `delivery_tried_late`.
 */
const EARLY_MS = 86_400_000;

/** A time range in which attempts started, and the range of delivery IDs to search for them. */
export interface AttemptRange {
  from: Instant;
  to: Instant;
  /** Start of the ID range, inclusive. */
  firstId: string;
  /** End of the ID range, exclusive. */
  endId: string;
}

/**
 * Maximum clock difference between the process that creates a delivery and the one that sends it.
 */
const CLOCK_SKEW_MS = 60_000;

export const EMPTY_RANGE: AttemptRange = { from: 0, to: 0, firstId: '', endId: '' };

/**
 * Returns the range for a time span. `oldestId` is a lower bound for the IDs of all deliveries with
 * attempts.
 */
export function attemptRange(
  { from, to }: { from: Instant; to: Instant },
  oldestId = '',
): AttemptRange {
  if (from >= to) return EMPTY_RANGE;
  const early = deliveryIdFloor(from - EARLY_MS);
  const firstId = early > oldestId ? early : oldestId;
  return { from, to, firstId, endId: deliveryIdFloor(to + CLOCK_SKEW_MS) };
}

/**
 * Returns a common table expression `attempts` with one row per attempt in the ranges, for the
 * given endpoints or for all, with `endpoint_id`, `hour` (UTC), `duration_ms` and `error`.
 */
export function attemptsIn(ranges: readonly AttemptRange[], endpointIds?: readonly string[]): Sql {
  const parts = ranges.flatMap((range) => [
    earlyAttempts(range, endpointIds),
    lateAttempts(range, endpointIds),
  ]);
  const union = parts.reduce((all, part) => sql`${all} union all ${part}`);
  return sql`attempts as materialized (${union})`;
}

/**
 * Selects attempts for deliveries in the ID range. Starts from index `delivery_by_endpoint`, or from
 * the primary key of `delivery_attempt` for all endpoints.
 */
function earlyAttempts(range: AttemptRange, endpointIds?: readonly string[]): Sql {
  const { from, firstId, endId } = range;
  const isOf =
    endpointIds === undefined
      ? sql`a.delivery_id >= ${firstId} and a.delivery_id < ${endId}`
      : sql`d.endpoint_id = any(${endpointIds}::text[])`;
  return sql`${COLUMNS}
         from delivery d join delivery_attempt a on a.delivery_id = d.id
        where ${startedIn(range)} and ${isOf}
              and d.id >= ${firstId} and d.id < ${endId} and ${isUnfinishedAt(from)}`;
}

/** Uses index `delivery_tried_late`. */
function lateAttempts(range: AttemptRange, endpointIds?: readonly string[]): Sql {
  const ofEndpoints =
    endpointIds === undefined ? sql`` : sql`and d.endpoint_id = any(${endpointIds}::text[])`;
  // The `offset` keeps the embedded engine, which has no table statistics, from reading all
  // attempts.
  return sql`${COLUMNS}
         from delivery d
         cross join lateral (
              select * from delivery_attempt a
               where a.delivery_id = d.id and ${startedIn(range)} offset 0) a
        where d.id < ${range.firstId} and d.due_at >= to_timestamp(${range.from} / 1000.0)
              and d.due_at - d.created_at > interval '1 day' ${ofEndpoints}`;
}

function startedIn({ from, to }: AttemptRange): Sql {
  return sql`a.started_at >= to_timestamp(${from} / 1000.0)
              and a.started_at < to_timestamp(${to} / 1000.0) and a.state <> 'started'`;
}

function isUnfinishedAt(from: Instant): Sql {
  return sql`(d.finished_at is null or d.finished_at >= to_timestamp(${from} / 1000.0))`;
}

/**
 * `error` is the failure code, or null for a 2xx response. For failed attempts stored without a
 * code, the code is derived from the status.
 */
const COLUMNS = sql`select d.endpoint_id, date_trunc('hour', a.started_at, 'UTC') as hour,
              a.duration_ms,
              case when a.state = 'unknown' then 'unknown'
                when a.error_code is not null then a.error_code
                when a.response_status between 200 and 299 then null
                when a.response_status is null then 'unknown'
                when a.response_status < 400 then 'redirect'
                when a.response_status < 500 then 'http_4xx' else 'http_5xx' end as error`;
