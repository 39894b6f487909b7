import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';
import { deliveryIdFloor } from './delivery-id.ts';

/** One endpoint's attempts in one hour of UTC or New York day. */
export interface AttemptSlice {
  endpointId: string;
  /** When the hour or day begins. */
  at: Instant;
  /** Attempts that were answered 2xx. */
  delivered: number;
  /** Attempts that were not, and those of which nobody knows. */
  failed: number;
  /** The failed ones by why: `http_5xx`, `timeout`, or `unknown`. */
  errors: Record<string, number>;
  /** How long the ended attempts took: half of them at most, and 95 of a hundred. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/** A delivery is tried for so long at most, so that attempts are of deliveries not older than that. */
const TRIED_MS_MAX = 7 * 86_400_000;

/**
 * What attempts came to, by endpoint and time; hours and days without any are left out. Tests that a
 * person sent count too.
 */
export async function loadAttemptSlices(
  db: Queryable,
  asked: {
    endpointIds: readonly string[];
    from: Instant;
    to: Instant;
    by: 'hour' | 'day';
  },
): Promise<AttemptSlice[]> {
  const { endpointIds, from, to, by } = asked;
  // One row an endpoint, time and outcome: the deliveries of the span by delivery_by_endpoint, their
  // attempts by the primary key. 100,000 take 130 ms (250 ms embedded). `by` chooses among fixed texts.
  const rows = await db.query<SliceRow>(
    `with tried as (
       select d.endpoint_id,
              date_trunc('${by}', a.started_at, '${by === 'day' ? 'America/New_York' : 'UTC'}') as at,
              a.duration_ms,
              ${ERROR} as error
         from delivery d join delivery_attempt a on a.delivery_id = d.id
        where d.endpoint_id = any($1::text[]) and d.id >= $4 and d.id < $5
          and (d.finished_at is null or d.finished_at >= to_timestamp($2 / 1000.0))
          and a.started_at >= to_timestamp($2 / 1000.0) and a.started_at < to_timestamp($3 / 1000.0)
          and a.state <> 'started')
     select endpoint_id as "endpointId", at, error, count(*)::int4 as attempts,
            grouping(error) = 1 as "isWhole",
            percentile_disc(array[0.5, 0.95]) within group (order by duration_ms) as marks
       from tried
      group by grouping sets ((endpoint_id, at), (endpoint_id, at, error))
      order by endpoint_id, at, grouping(error) desc, error`,
    [endpointIds, from, to, deliveryIdFloor(from - TRIED_MS_MAX), deliveryIdFloor(to)],
  );
  return slicesOf(rows);
}

/** The attempts of all endpoints in one hour of UTC or New York day. */
export type SystemSlice = Pick<AttemptSlice, 'at' | 'delivered' | 'failed' | 'errors'>;

/** The same of the whole system, without how long attempts took. */
export async function loadSystemSlices(
  db: Queryable,
  { from, to, by }: { from: Instant; to: Instant; by: 'hour' | 'day' },
): Promise<SystemSlice[]> {
  // One row a time and outcome: the deliveries of the span and their attempts by the primary keys.
  const rows = await db.query<{ at: Instant; error: string | null; attempts: number }>(
    `select date_trunc('${by}', a.started_at, '${by === 'day' ? 'America/New_York' : 'UTC'}') as at,
            ${ERROR} as error, count(*)::int4 as attempts
       from delivery d join delivery_attempt a on a.delivery_id = d.id
      where d.id >= $3 and d.id < $4 and a.delivery_id >= $3 and a.delivery_id < $4
        and (d.finished_at is null or d.finished_at >= to_timestamp($1 / 1000.0))
        and a.started_at >= to_timestamp($1 / 1000.0) and a.started_at < to_timestamp($2 / 1000.0)
        and a.state <> 'started'
      group by 1, 2 order by 1, 2`,
    [from, to, deliveryIdFloor(from - TRIED_MS_MAX), deliveryIdFloor(to)],
  );
  const slices = new Map<Instant, SystemSlice>();
  for (const { at, error, attempts } of rows) {
    const slice = slices.get(at) ?? { at, delivered: 0, failed: 0, errors: {} };
    slices.set(at, slice);
    if (error === null) slice.delivered += attempts;
    else {
      slice.failed += attempts;
      slice.errors[error] = attempts;
    }
  }
  return [...slices.values()];
}

/**
 * Why an attempt counts as failed; null when it was answered 2xx. Some were stored without a code
 * though the answer was another: they are told by its status.
 */
const ERROR = `case when a.state = 'unknown' then 'unknown'
              when a.error_code is not null then a.error_code
              when a.response_status between 200 and 299 then null
              when a.response_status is null then 'unknown'
              when a.response_status < 400 then 'redirect'
              when a.response_status < 500 then 'http_4xx' else 'http_5xx' end`;

interface SliceRow extends Row {
  endpointId: string;
  at: Instant;
  error: string | null;
  attempts: number;
  /** Over all outcomes; else over those with this error, null for none. */
  isWhole: boolean;
  marks: (number | null)[] | null;
}

/** The row over all outcomes comes first, then those of its parts. */
function slicesOf(rows: readonly SliceRow[]): AttemptSlice[] {
  const slices: AttemptSlice[] = [];
  for (const { endpointId, at, error, attempts, isWhole, marks } of rows) {
    const last = slices.at(-1);
    if (isWhole || last === undefined) {
      const [p50Ms = null, p95Ms = null] = marks ?? [];
      slices.push({ endpointId, at, delivered: 0, failed: 0, errors: {}, p50Ms, p95Ms });
    } else if (error === null) {
      last.delivered = attempts;
    } else {
      last.failed += attempts;
      last.errors[error] = attempts;
    }
  }
  return slices;
}
