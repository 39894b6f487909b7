import type { Instant } from '../../platform/instant.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';

/** Endpoints looked at in one way, at most, whether something of them is due or not. */
const STEPS_MAX = 2_000;
/** Where no more have anything waiting, one look finds them all. */
const STEPS_FEW = 256;

export interface Lanes {
  /** Endpoints with due work. */
  ids: string[];
  /** Where to go on, so that endpoints come in turn. */
  after: string;
  /** The accounts of all that were found to have due work, more than `ids` may be. */
  accounts: ReadonlySet<string>;
  /** How many endpoints have due work; null: too many have something waiting to count them. */
  dueCount: number | null;
}

/** What a look found. */
export interface Scan extends Lanes {
  /** There is more than was looked at. */
  isCut: boolean;
}

/**
 * The next endpoints with due work, in order of ids from one on and around: at most `limit`. What is
 * due to a suspended customer waits until the suspension is lifted. `known`: what an earlier look at all
 * found, in place of a new one.
 */
export async function findLanes(
  db: Queryable,
  options: { after: string; limit: number; now: Instant; known?: Scan | null },
): Promise<Lanes & { all: Scan }> {
  const { after, limit, now, known = null } = options;
  const all = known ?? (await scan(db, { after: '', limit: STEPS_FEW, now, steps: STEPS_FEW }));
  if (!all.isCut) {
    const turned = [...all.ids.filter((id) => id > after), ...all.ids.filter((id) => id <= after)];
    const ids = turned.slice(0, limit);
    return { ...all, ids, after: ids.at(-1) ?? after, dueCount: turned.length, all };
  }
  const next = await scanOn(db, { after, limit, now });
  if (next.isCut || next.ids.length === limit || after === '') return { ...next, all };
  const around = await scanOn(db, { after: '', limit: limit - next.ids.length, now });
  const ids = [...new Set([...next.ids, ...around.ids.filter((id) => id <= after)])];
  const accounts = new Set([...next.accounts, ...around.accounts]);
  const reached = around.isCut ? around.after : (ids.at(-1) ?? after);
  return { ids, after: reached, accounts, dueCount: null, all };
}

/**
 * Looks on until it has found so many, or was at so many endpoints as it may: first at as many as are
 * wanted, since as a rule all are due where many wait, then at four times as many each time.
 */
async function scanOn(
  db: Queryable,
  { after, limit, now }: { after: string; limit: number; now: Instant },
): Promise<Scan> {
  let found = await scan(db, { after, limit, now, steps: limit });
  let steps = limit;
  let looked = steps;
  while (found.isCut && found.ids.length < limit && looked < STEPS_MAX) {
    steps = Math.min(steps * 4, STEPS_MAX - looked);
    looked += steps;
    const next = { after: found.after, limit: limit - found.ids.length, now, steps };
    const more = await scan(db, next);
    const accounts = new Set([...found.accounts, ...more.accounts]);
    found = { ...more, ids: [...found.ids, ...more.ids], accounts };
  }
  return found;
}

async function scan(
  db: Queryable,
  from: { after: string; limit: number; now: Instant; steps: number },
): Promise<Scan> {
  const { after, limit, now, steps } = from;
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
    after: rows.at(-1)?.endpoint_id ?? after,
    accounts: new Set(due.map((row) => row.customer_id)),
    dueCount: null,
    isCut: rows.at(-1)?.step === steps,
  };
}

interface LaneRow extends Row {
  endpoint_id: string;
  customer_id: string;
  is_due: boolean;
  step: number;
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
  /** What the receiver may hold of the company; the names are null when the endpoint does not watch it. */
  answeredData: string | null;
  namedFields: string[] | null;
}

/** A locked endpoint that may have more in flight. */
export interface Room {
  endpointId: string;
  /** The companies of which it has one in flight. */
  busy: ReadonlySet<string>;
  /** How many more are wanted, at most. */
  count: number;
}

/** What is due at locked endpoints beside what is in flight, oldest first. */
export async function loadCandidates(
  tx: Transaction,
  rooms: readonly Room[],
  now: Instant,
): Promise<Candidate[]> {
  // Some rows an endpoint, by index delivery_due, each with one of its subscription at most, by the
  // primary key.
  return tx.query<Candidate & Row>(
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
      rooms.map(({ busy }) => writeArrayLiteral([...busy])),
      rooms.map(({ count }) => count),
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
