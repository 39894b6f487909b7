import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';

/** Endpoints looked at in one claim, at most, whether something of them is due or not. */
const STEPS_MAX = 2_000;

export interface Lanes {
  /** Endpoints with due work. */
  ids: string[];
  /** Where to go on, so that endpoints come in turn. */
  after: string;
}

/**
 * The next endpoints with due work, in order of ids from one on and around: at most `limit`. What is
 * due to a suspended customer waits until the suspension is lifted.
 */
export async function findLanes(
  db: Queryable,
  { after, limit, now }: { after: string; limit: number; now: Instant },
): Promise<Lanes> {
  const next = await scan(db, { after, limit, now });
  if (next.isCut || next.ids.length === limit || after === '') return next;
  const around = await scan(db, { after: '', limit: limit - next.ids.length, now });
  const ids = [...new Set([...next.ids, ...around.ids.filter((id) => id <= after)])];
  return { ids, after: around.isCut ? around.after : (ids.at(-1) ?? after) };
}

async function scan(
  db: Queryable,
  { after, limit, now }: { after: string; limit: number; now: Instant },
): Promise<Lanes & { isCut: boolean }> {
  // One row an endpoint with something due, and the last one looked at: one step down index
  // delivery_due for each endpoint that has anything waiting, to its earliest.
  const rows = await db.query<{ endpoint_id: string; is_due: boolean; step: number }>(
    `with recursive lane as (
       (select endpoint_id, due_at, 1 as step from delivery
         where state in ('pending', 'retrying') and endpoint_id > $1
         order by endpoint_id, due_at limit 1)
       union all
       select n.endpoint_id, n.due_at, l.step + 1 from lane l cross join lateral (
         select endpoint_id, due_at from delivery
          where state in ('pending', 'retrying') and endpoint_id > l.endpoint_id
          order by endpoint_id, due_at limit 1) n
        where l.step < ${STEPS_MAX})
     select l.endpoint_id, l.step,
            l.due_at <= to_timestamp($2 / 1000.0) and c.suspended_at is null as is_due
       from lane l join webhook_endpoint e on e.id = l.endpoint_id
                   join customer c on c.id = e.customer_id
      where (l.due_at <= to_timestamp($2 / 1000.0) and c.suspended_at is null)
         or l.step = ${STEPS_MAX}
      order by l.step limit $3`,
    [after, now, limit],
  );
  return {
    ids: rows.filter((row) => row.is_due).map((row) => row.endpoint_id),
    after: rows.at(-1)?.endpoint_id ?? after,
    isCut: rows.at(-1)?.step === STEPS_MAX,
  };
}

/** A delivery that is due. */
export interface Candidate {
  id: string;
  endpointId: string;
  templateId: string;
  eventType: string;
  symbol: string;
  isTest: boolean;
  namesAll: boolean;
  changedFields: string[];
  mayHaveLeft: boolean;
  sentData: string | null;
  changedAt: Instant;
  createdAt: Instant;
  attemptCount: number;
  unknownCount: number;
  maxAttempts: number;
}

/** Of locked endpoints: what is due, oldest first, at most so many of each. */
export async function loadCandidates(
  tx: Transaction,
  endpointIds: readonly string[],
  { perEndpoint, now }: { perEndpoint: number; now: Instant },
): Promise<Candidate[]> {
  // Some rows an endpoint, by index delivery_due.
  return tx.query<Candidate & Row>(
    `select d.* from unnest($1::text[]) as e(id) cross join lateral (
       select w.id, w.endpoint_id as "endpointId", w.template_id as "templateId",
              w.event_type as "eventType", w.symbol, w.is_test as "isTest",
              w.names_all as "namesAll", w.changed_fields as "changedFields",
              w.may_have_left as "mayHaveLeft", w.sent_data as "sentData",
              w.changed_at as "changedAt", w.created_at as "createdAt",
              w.attempt_count as "attemptCount", w.unknown_count as "unknownCount",
              w.max_attempts as "maxAttempts"
         from delivery w
        where w.endpoint_id = e.id and w.state in ('pending', 'retrying')
          and w.due_at <= to_timestamp($2 / 1000.0)
        order by w.due_at, w.id limit $3) d`,
    [endpointIds, now, perEndpoint],
  );
}

/** The companies of which each endpoint has one in flight, from all processes. */
export async function loadInFlight(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  // At most eight rows an endpoint, by index delivery_in_flight.
  const rows = await tx.query<{ endpoint_id: string; symbol: string }>(
    `select endpoint_id, symbol from delivery
      where state = 'in_progress' and endpoint_id = any($1::text[])`,
    [endpointIds],
  );
  const found = new Map<string, Set<string>>();
  for (const row of rows) {
    const symbols = found.get(row.endpoint_id) ?? new Set();
    found.set(row.endpoint_id, symbols.add(row.symbol));
  }
  return found;
}
