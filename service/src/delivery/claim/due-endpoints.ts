import type { Instant } from '../../platform/instant.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';

/** Endpoints looked at in one way, at most, whether something of them is due or not. */
const STEPS_MAX = 2_000;
/** Where no more have anything waiting, one look finds them all. */
const STEPS_FEW = 256;

export interface DueEndpoints {
  /** Endpoints with due work. */
  ids: string[];
  /** Where to go on, so that endpoints come in turn. */
  cursor: string;
  /** The accounts of all that were found to have due work, more than `ids` may be. */
  customerIds: ReadonlySet<string>;
  /** How many endpoints have due work; null: too many have something waiting to count them. */
  dueCount: number | null;
}

/** What a look found. */
export interface EndpointScan extends DueEndpoints {
  /** There is more than was looked at. */
  isPartial: boolean;
}

/**
 * The next endpoints with due work, in order of ids from one on and around: at most `limit`. What is
 * due to a suspended customer waits until the suspension is lifted. `known`: what an earlier look at all
 * found, in place of a new one.
 */
export async function findDueEndpoints(
  db: Queryable,
  options: { cursor: string; limit: number; now: Instant; cached?: EndpointScan | null },
): Promise<DueEndpoints & { scanned: EndpointScan }> {
  const { cursor: after, limit, now, cached: known = null } = options;
  const scanned =
    known ?? (await scan(db, { cursor: '', limit: STEPS_FEW, now, steps: STEPS_FEW }));
  if (!scanned.isPartial) {
    const turned = [
      ...scanned.ids.filter((id) => id > after),
      ...scanned.ids.filter((id) => id <= after),
    ];
    const ids = turned.slice(0, limit);
    return { ...scanned, ids, cursor: ids.at(-1) ?? after, dueCount: turned.length, scanned };
  }
  const next = await scanOn(db, { cursor: after, limit, now });
  if (next.isPartial || next.ids.length === limit || after === '') return { ...next, scanned };
  const around = await scanOn(db, { cursor: '', limit: limit - next.ids.length, now });
  const ids = [...new Set([...next.ids, ...around.ids.filter((id) => id <= after)])];
  const customerIds = new Set([...next.customerIds, ...around.customerIds]);
  const reached = around.isPartial ? around.cursor : (ids.at(-1) ?? after);
  return { ids, cursor: reached, customerIds, dueCount: null, scanned };
}

/**
 * Looks on until it has found so many, or was at so many endpoints as it may: first at as many as are
 * wanted, since as a rule all are due where many wait, then at four times as many each time.
 */
async function scanOn(
  db: Queryable,
  { cursor, limit, now }: { cursor: string; limit: number; now: Instant },
): Promise<EndpointScan> {
  let found = await scan(db, { cursor, limit, now, steps: limit });
  let steps = limit;
  let looked = steps;
  while (found.isPartial && found.ids.length < limit && looked < STEPS_MAX) {
    steps = Math.min(steps * 4, STEPS_MAX - looked);
    looked += steps;
    const next = { after: found.cursor, limit: limit - found.ids.length, now, steps };
    const more = await scan(db, next);
    const customerIds = new Set([...found.customerIds, ...more.customerIds]);
    found = { ...more, ids: [...found.ids, ...more.ids], customerIds };
  }
  return found;
}

async function scan(
  db: Queryable,
  from: { cursor: string; limit: number; now: Instant; steps: number },
): Promise<EndpointScan> {
  const { cursor: after, limit, now, steps } = from;
  // One row an endpoint with something due, and the last one looked at: one step down index
  // delivery_due for each endpoint that has anything waiting, to its earliest.
  const rows = await db.query<LaneRow>(
    `with recursive lane as (
       (select endpoint_id, due_at, 1 as step from delivery
         where state in ('pending', 'retrying') and endpoint_id > $1
         order by endpoint_id, due_at limit 1)
       union all
       select n.endpoint_id, n.due_at, l.step + 1 from lane l cross join lateral (
         select endpoint_id, due_at from delivery
          where state in ('pending', 'retrying') and endpoint_id > l.endpoint_id
          order by endpoint_id, due_at limit 1) n
        where l.step < ${steps})
     select l.endpoint_id, e.customer_id, l.step,
            l.due_at <= to_timestamp($2 / 1000.0) and c.suspended_at is null as is_due
       from lane l join webhook_endpoint e on e.id = l.endpoint_id
                   join customer c on c.id = e.customer_id
      where (l.due_at <= to_timestamp($2 / 1000.0) and c.suspended_at is null)
         or l.step = ${steps}
      order by l.step limit $3`,
    [after, now, limit],
  );
  const due = rows.filter((row) => row.is_due);
  return {
    ids: due.map((row) => row.endpoint_id),
    cursor: rows.at(-1)?.endpoint_id ?? after,
    customerIds: new Set(due.map((row) => row.customer_id)),
    dueCount: null,
    isPartial: rows.at(-1)?.step === steps,
  };
}

interface LaneRow extends Row {
  endpoint_id: string;
  customer_id: string;
  is_due: boolean;
  step: number;
}

/** A delivery that is due. */
export interface DueDelivery {
  id: string;
  endpointId: string;
  templateId: string;
  eventType: string;
  symbol: string;
  isTest: boolean;
  namesAll: boolean;
  changedFields: string[];
  maybeSent: boolean;
  sentData: string | null;
  changedAt: Instant;
  createdAt: Instant;
  attemptCount: number;
  unknownCount: number;
  maxAttempts: number;
  /** What the receiver may hold of the company; the names are null when the endpoint does not watch it. */
  acknowledgedData: string | null;
  namedFields: string[] | null;
}

/** A locked endpoint that may have more in flight. */
export interface EndpointCapacity {
  endpointId: string;
  /** The companies of which it has one in flight. */
  busySymbols: ReadonlySet<string>;
  /** How many more are wanted, at most. */
  limit: number;
}

/** What is due at locked endpoints beside what is in flight, oldest first. */
export async function loadDueDeliveries(
  tx: Transaction,
  rooms: readonly EndpointCapacity[],
  now: Instant,
): Promise<DueDelivery[]> {
  // Some rows an endpoint, by index delivery_due, each with one of its subscription at most, by the
  // primary key.
  return tx.query<DueDelivery & Row>(
    `select d.*, s.answered_data as "answeredData", s.named_fields as "namedFields"
       from unnest($1::text[], $3::text[], $4::int4[]) as e(id, busy, count) cross join lateral (
       select w.id, w.endpoint_id as "endpointId", w.template_id as "templateId",
              w.event_type as "eventType", w.symbol, w.is_test as "isTest",
              w.names_all as "namesAll", w.changed_fields as "changedFields",
              w.may_have_left as "mayHaveLeft", w.sent_data as "sentData",
              w.changed_at as "changedAt", w.created_at as "createdAt",
              w.attempt_count as "attemptCount", w.unknown_count as "unknownCount",
              w.max_attempts as "maxAttempts"
         from delivery w
        where w.endpoint_id = e.id and w.state in ('pending', 'retrying')
          and w.due_at <= to_timestamp($2 / 1000.0) and w.symbol <> all(e.busy::text[])
        order by w.due_at, w.id limit e.count) d
       left join webhook_subscription s
         on s.template_id = d."templateId" and s.symbol = d.symbol
        and s.endpoint_id = d."endpointId"`,
    [
      rooms.map(({ endpointId }) => endpointId),
      now,
      rooms.map(({ busySymbols: busy }) => writeArrayLiteral([...busy])),
      rooms.map(({ limit: count }) => count),
    ],
  );
}

/** Of each of these endpoints the companies of which it has one in flight, from all processes. */
export async function loadInFlight(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  // At most so many rows an endpoint as may be in flight, by index delivery_in_flight, one endpoint
  // after the other: so the index forgets what is over, which a look at all of it does not.
  const rows = await tx.query<{ endpoint_id: string; symbol: string }>(
    `select d.* from unnest($1::text[]) as e(id) cross join lateral (
       select w.endpoint_id, w.symbol from delivery w
        where w.state = 'in_progress' and w.endpoint_id = e.id order by w.symbol limit 1000) d`,
    [endpointIds],
  );
  const found = new Map<string, Set<string>>(endpointIds.map((id) => [id, new Set()]));
  for (const row of rows) found.get(row.endpoint_id)?.add(row.symbol);
  return found;
}
