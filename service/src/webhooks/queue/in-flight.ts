import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue, Transaction } from '../../storage/db.ts';
import { type Sql, sql } from '../../storage/sql.ts';
import { type PayloadFormat, renderPayload } from '../message/payload.ts';

/** Duration of the lease of a claim. */
export const LEASE_MS = 60_000;

/**
 * Deliveries in flight, for a `from` clause: one row per delivery that an open claim lists. Open
 * claims are few, so this is cheap wherever it is evaluated once per statement.
 *
 * The row of a delivery in flight keeps the state it had before. Transactions that hold the lock on
 * its endpoint and treat pending deliveries call `markInProgress` first.
 */
export const IN_FLIGHT = `(
  select c.token, c.claimed_at, c.lease_until, e.place, e.delivery_id, e.endpoint_id, e.symbol, e.n,
         e.changed_fields::text[] as changed_fields, c.texts[e.data] as data
    from delivery_claim c
   cross join lateral unnest(c.delivery_ids, c.endpoint_ids, c.symbols, c.attempts,
                             c.changed_fields, c.data) with ordinality
                   as e(delivery_id, endpoint_id, symbol, n, changed_fields, data, place)
   where e.place <> all(c.done))`;

/** Condition on the id of a pending delivery: false for deliveries in flight. */
export const NOT_IN_FLIGHT = `not in (select delivery_id from ${IN_FLIGHT} as in_flight)`;

/**
 * Gives deliveries in flight the state `in_progress`, in which they are not pending: nothing cancels
 * or supersedes them, and a successor may wait beside them. The endpoints must be locked. With
 * `symbols`, marks those of the pairs of an endpoint and a symbol.
 */
export async function markInProgress(
  tx: Transaction,
  endpointIds: readonly string[],
  symbols: readonly string[] | null = null,
): Promise<void> {
  const isListed =
    symbols === null
      ? 'f.endpoint_id = any($1::text[])'
      : '(f.endpoint_id, f.symbol) in (select * from unnest($1::text[], $2::text[]))';
  // Finds the rows by the primary key, and locks them in the order in which 2xx responses are
  // recorded, to avoid deadlocks.
  await tx.query(
    `update delivery d set state = 'in_progress'
       from (select id from delivery
              where id = any(array(select f.delivery_id from ${IN_FLIGHT} f where ${isListed}))
                and state in ('pending', 'retrying', 'held')
              order by endpoint_id, template_id, symbol for no key update) f
      where d.id = f.id`,
    symbols === null ? [endpointIds] : [endpointIds, symbols],
  );
}

/** A claim's entry for one delivery. */
export interface ClaimEntry {
  /** Identifies the claim. */
  claimToken: string;
  /** Position of the delivery in the claim, counted from 1. */
  claimPlace: number;
}

/**
 * Common table expressions that end the attempts of a recordset with columns `claim_token` and
 * `place`. `claims` has the tokens of claims that still listed all of them, and have not expired.
 */
export function endEntries(entries: Sql): Sql {
  return sql`
    ended as (
      select claim_token, array_agg(place) as places from ${entries} group by claim_token),
    complete as (
      delete from delivery_claim c using ended
       where c.token = ended.claim_token and not c.done && ended.places
         and cardinality(c.done) + cardinality(ended.places) = c.size
      returning c.token),
    incomplete as (
      update delivery_claim c set done = c.done || ended.places from ended
       where c.token = ended.claim_token and not c.done && ended.places
         and cardinality(c.done) + cardinality(ended.places) < c.size
      returning c.token),
    claims as (select token from complete union all select token from incomplete)`;
}

/** An attempt in flight. It gets its own row when it ends. */
export interface InFlightAttempt extends ClaimEntry {
  id: string;
  endpointId: string;
  payloadFormat: PayloadFormat;
  attemptNumber: number;
  startedAt: Instant;
  createdAt: Instant;
  templateId: string;
  eventType: string;
  symbol: string;
  data: string;
  changedFields: string[];
  isTest: boolean;
  unknownCount: number;
  /** A delivery ID always has the same data. If the owner changed the format since, this has it. */
  body: string;
}

/** Returns the attempts in flight for which a condition on `f`, an entry, is true. */
export async function loadInFlight(
  db: Queryable,
  condition: string,
  params: readonly SqlValue[],
): Promise<InFlightAttempt[]> {
  // Finds deliveries and endpoints by their primary keys.
  const rows = await db.query<Omit<InFlightAttempt, 'body'> & Row>(
    `select f.delivery_id as id, f.endpoint_id as "endpointId", f.token as "claimToken",
            f.place::int4 as "claimPlace", f.n as "attemptNumber", f.claimed_at as "startedAt",
            f.symbol, f.data, f.changed_fields as "changedFields",
            e.payload_format as "payloadFormat", d.created_at as "createdAt",
            d.template_id as "templateId", d.event_type as "eventType", d.is_test as "isTest",
            d.unknown_count as "unknownCount"
       from ${IN_FLIGHT} f join delivery d on d.id = f.delivery_id
       join webhook_endpoint e on e.id = f.endpoint_id
      where ${condition}`,
    params,
  );
  return rows.map((row) => ({
    ...row,
    body: renderPayload({ ...row, format: row.payloadFormat }),
  }));
}
