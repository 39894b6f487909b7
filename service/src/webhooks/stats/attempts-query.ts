import type { Instant } from '../../platform/instant.ts';
import type { SqlValue } from '../../storage/db.ts';
import { deliveryIdFloor } from '../queue/delivery-id.ts';

/** Attempts later than this after their delivery was opened are found by index delivery_tried_late. */
const TRIED_MS = 86_400_000;

/** Attempts that began in a span, and among which deliveries they are looked for. */
export interface TriedSpan {
  from: Instant;
  to: Instant;
  /** Deliveries with ids from this one on, and before that one. */
  firstId: string;
  endId: string;
}

/** Two processes whose clocks may differ: one opens a delivery a little after the other tries it. */
const CLOCKS_APART_MS = 60_000;

export const NOTHING: TriedSpan = { from: 0, to: 0, firstId: '', endId: '' };

/** `oldestId`: what no attempt's delivery is below; those are not looked at. */
export function spanTried({ from, to }: { from: Instant; to: Instant }, oldestId = ''): TriedSpan {
  if (from >= to) return NOTHING;
  const early = deliveryIdFloor(from - TRIED_MS);
  const firstId = early > oldestId ? early : oldestId;
  return { from, to, firstId, endId: deliveryIdFloor(to + CLOCKS_APART_MS) };
}

/** Two spans, one of which may be `NOTHING`; with the endpoints behind them where it is of endpoints. */
export function triedParams(
  spans: readonly [TriedSpan, TriedSpan],
  endpointIds?: readonly string[],
): SqlValue[] {
  const params = spans.flatMap(({ from, to, firstId, endId }) => [from, to, firstId, endId]);
  return endpointIds === undefined ? params : [...params, endpointIds];
}

/**
 * A part of a `with`: `tried` has a row for each attempt of the two spans, with endpoint_id, hour (of
 * UTC), duration_ms and error. Its parameters, the first of the statement, are `triedParams`. Attempts
 * are found by the primary key; deliveries of the day before by that of their endpoints, or by their
 * own where it is of all; older ones by index delivery_tried_late.
 */
export function triedIn({ isOfEndpoints }: { isOfEndpoints: boolean }): string {
  const parts = [1, 5].flatMap((first) => {
    const [from, to, firstId, endId] = [first, first + 1, first + 2, first + 3];
    const columns = `select d.endpoint_id, date_trunc('hour', a.started_at, 'UTC') as hour,
              a.duration_ms, ${ERROR} as error`;
    const began = `a.started_at >= to_timestamp($${from} / 1000.0)
              and a.started_at < to_timestamp($${to} / 1000.0) and a.state <> 'started'`;
    // Where the index is entered that leads to the rows.
    const id = isOfEndpoints ? 'o.delivery_id' : 'a.delivery_id';
    const ofThese = isOfEndpoints ? 'and o.endpoint_id = any($9::text[])' : '';
    return [
      `${columns}
         from ${isOfEndpoints ? 'endpoint_delivery o join delivery d on d.id = o.delivery_id' : 'delivery d'}
         join delivery_attempt a on a.delivery_id = d.id
        where ${began} ${ofThese} and ${id} >= $${firstId} and ${id} < $${endId}
              and d.id >= $${firstId} and d.id < $${endId}
              and (d.finished_at is null or d.finished_at >= to_timestamp($${from} / 1000.0))`,
      // The offset keeps the embedded engine, which has no figures to plan by, from reading all.
      `${columns}
         from delivery d
         cross join lateral (
              select * from delivery_attempt a where a.delivery_id = d.id and ${began} offset 0) a
        where d.id < $${firstId} and d.due_at >= to_timestamp($${from} / 1000.0)
              and d.due_at - d.created_at > interval '1 day'
              ${isOfEndpoints ? 'and d.endpoint_id = any($9::text[])' : ''}`,
    ];
  });
  return `tried as materialized (\n       ${parts.join('\n       union all\n       ')})`;
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
