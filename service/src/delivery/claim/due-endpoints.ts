import type { Clock } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import { IN_FLIGHT, NOT_IN_FLIGHT } from '../../webhooks/queue/in-flight.ts';
import { TUNING } from '../tuning.ts';
import { QueuePositions } from './queue-positions.ts';

/** Endpoints with due deliveries. */
export interface DueEndpoints {
  ids: string[];
  /** The next search starts after this endpoint, so that all endpoints take turns. */
  cursor: string;
  /** All customers found to have due deliveries, including those whose endpoints are not in `ids`. */
  customerIds: ReadonlySet<string>;
  /**
   * Number of endpoints with due deliveries, or null if too many endpoints have pending deliveries
   * to count them.
   */
  dueCount: number | null;
}

/** The result of one scan. */
export interface EndpointScan extends DueEndpoints {
  /** True if the scan stopped before the last endpoint. */
  isPartial: boolean;
}

/**
 * Returns up to `limit` endpoints with due deliveries, ordered by id, starting after the cursor and
 * wrapping around. Leaves out suspended customers, whose deliveries stay pending. If `cached` is
 * given, it is used instead of a new scan of all endpoints.
 */
export async function findDueEndpoints(
  db: Queryable,
  options: {
    cursor: string;
    limit: number;
    now: Instant;
    cached?: EndpointScan | null;
    positions?: QueuePositions | undefined;
  },
): Promise<DueEndpoints & { scanned: EndpointScan }> {
  const { cursor, limit, now, cached = null, positions } = options;
  const scanned = cached ?? (await scanAll(db, now, positions));
  if (!scanned.isPartial) {
    const { ids: dueIds } = scanned;
    const ordered = [...dueIds.filter((id) => id > cursor), ...dueIds.filter((id) => id <= cursor)];
    const ids = ordered.slice(0, limit);
    return { ...scanned, ids, cursor: ids.at(-1) ?? cursor, dueCount: dueIds.length, scanned };
  }
  const next = await scanForward(db, { cursor, limit, now, positions });
  if (next.isPartial || next.ids.length === limit || cursor === '') return { ...next, scanned };
  const wrapped = await scanForward(db, {
    cursor: '',
    limit: limit - next.ids.length,
    now,
    positions,
  });
  const ids = [...new Set([...next.ids, ...wrapped.ids.filter((id) => id <= cursor)])];
  const customerIds = new Set([...next.customerIds, ...wrapped.customerIds]);
  const nextCursor = wrapped.isPartial ? wrapped.cursor : (ids.at(-1) ?? cursor);
  return { ids, cursor: nextCursor, customerIds, dueCount: null, scanned };
}

/** Scans all endpoints, or only the known ones if searches are limited. */
function scanAll(
  db: Queryable,
  now: Instant,
  positions: QueuePositions | undefined,
): Promise<EndpointScan> {
  const { fullScanSteps: steps } = TUNING;
  if (positions?.isLimited() === true) return scanKnown(db, now, positions);
  const scanFully = () => scan(db, { cursor: '', limit: steps, now, steps, positions });
  return positions?.searchFully(scanFully) ?? scanFully();
}

/** Scans the known endpoints, each from its position. */
async function scanKnown(
  db: Queryable,
  now: Instant,
  positions: QueuePositions,
): Promise<EndpointScan> {
  const ids = positions.knownEndpoints();
  // Returns a row per endpoint with a due delivery. Takes one step down index delivery_due per
  // endpoint.
  const rows = await db.query<EndpointRow>(
    `select p.id as "endpointId", e.customer_id as "customerId", n.due_at as "dueAt",
            true as "isDue", 1 as step
       from unnest($1::text[], $3::float8[]) as p(id, due_from) cross join lateral (
         select d.due_at from delivery d
          where d.endpoint_id = p.id and d.state in ('pending', 'retrying')
            and d.due_at >= to_timestamp(p.due_from / 1000.0) and d.id ${NOT_IN_FLIGHT}
          order by d.due_at limit 1) n
       join webhook_endpoint e on e.id = p.id join customer c on c.id = e.customer_id
      where n.due_at <= to_timestamp($2 / 1000.0) and ${MAY_SEND}
      order by p.id`,
    [ids, now, ids.map((id) => positions.dueFrom(id) ?? 0)],
  );
  positions.found(rows);
  return {
    ids: rows.map(({ endpointId }) => endpointId),
    cursor: '',
    customerIds: new Set(rows.map(({ customerId }) => customerId)),
    dueCount: null,
    isPartial: false,
  };
}

/**
 * Scans until `limit` endpoints are found or the maximum number of steps is reached. Starts with
 * `limit` steps, because when many endpoints have pending deliveries, usually all of them are due.
 * Each following scan takes four times as many steps.
 */
async function scanForward(
  db: Queryable,
  {
    cursor,
    limit,
    now,
    positions,
  }: { cursor: string; limit: number; now: Instant; positions: QueuePositions | undefined },
): Promise<EndpointScan> {
  let result = await scan(db, { cursor, limit, now, steps: limit, positions });
  let steps = limit;
  let totalSteps = steps;
  while (result.isPartial && result.ids.length < limit && totalSteps < TUNING.scanStepsMax) {
    steps = Math.min(steps * 4, TUNING.scanStepsMax - totalSteps);
    totalSteps += steps;
    const missing = limit - result.ids.length;
    const from = result.cursor;
    const next = await scan(db, { cursor: from, limit: missing, now, steps, positions });
    const customerIds = new Set([...result.customerIds, ...next.customerIds]);
    result = { ...next, ids: [...result.ids, ...next.ids], customerIds };
  }
  return result;
}

/** Deliveries of a cell that lost facts stay pending, because their data could be wrong. */
const MAY_SEND = `c.suspended_at is null and c.move_state is null
  and not exists (select 1 from cell_gap)`;

/** Returns the endpoints that may receive deliveries, in the form of a scan. */
export async function findSendable(
  db: Queryable,
  endpointIds: readonly string[],
): Promise<EndpointScan> {
  // Returns one row per endpoint.
  const rows = await db.query<{ id: string; customerId: string }>(
    `select e.id, e.customer_id as "customerId"
       from webhook_endpoint e join customer c on c.id = e.customer_id
      where e.id = any($1::text[]) and ${MAY_SEND} order by e.id`,
    [endpointIds],
  );
  return {
    ids: rows.map(({ id }) => id),
    cursor: '',
    customerIds: new Set(rows.map(({ customerId }) => customerId)),
    dueCount: null,
    isPartial: false,
  };
}

async function scan(
  db: Queryable,
  options: {
    cursor: string;
    limit: number;
    now: Instant;
    steps: number;
    positions: QueuePositions | undefined;
  },
): Promise<EndpointScan> {
  const { cursor, limit, now, steps, positions } = options;
  // Returns a row per endpoint with a due delivery, plus the last endpoint visited. Takes one step
  // down index delivery_due per endpoint with pending deliveries, to the earliest of these
  // deliveries.
  const rows = await db.query<EndpointRow>(
    `with recursive endpoint as (
       (select endpoint_id, due_at, 1 as step from delivery
         where state in ('pending', 'retrying') and endpoint_id > $1 and id ${NOT_IN_FLIGHT}
         order by endpoint_id, due_at limit 1)
       union all
       select n.endpoint_id, n.due_at, p.step + 1 from endpoint p cross join lateral (
         select endpoint_id, due_at from delivery
          where state in ('pending', 'retrying') and endpoint_id > p.endpoint_id
            and id ${NOT_IN_FLIGHT}
          order by endpoint_id, due_at limit 1) n
        where p.step < ${steps})
     select p.endpoint_id as "endpointId", e.customer_id as "customerId", p.step,
            p.due_at as "dueAt",
            p.due_at <= to_timestamp($2 / 1000.0) and ${MAY_SEND} as "isDue"
       from endpoint p join webhook_endpoint e on e.id = p.endpoint_id
                       join customer c on c.id = e.customer_id
      where (p.due_at <= to_timestamp($2 / 1000.0) and ${MAY_SEND})
         or p.step = ${steps}
      order by p.step limit $3`,
    [cursor, now, limit],
  );
  const due = rows.filter(({ isDue }) => isDue);
  positions?.found(due);
  return {
    ids: due.map(({ endpointId }) => endpointId),
    cursor: rows.at(-1)?.endpointId ?? cursor,
    customerIds: new Set(due.map(({ customerId }) => customerId)),
    dueCount: null,
    isPartial: rows.at(-1)?.step === steps,
  };
}

interface EndpointRow extends Row {
  endpointId: string;
  customerId: string;
  dueAt: Instant;
  isDue: boolean;
  step: number;
}

/**
 * Keeps a scan for all claims in a round. The scan is only a hint: each claim still reads the
 * deliveries from the store, under locks.
 */
export class DueEndpointCache<Scan = EndpointScan> {
  /** Where searches start. */
  readonly positions: QueuePositions;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #entry: { scan: Scan; expiresMs: number; claimsLeft: number } | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
    this.positions = new QueuePositions(clock);
  }

  /** Returns the cached scan, or null if the caller must run a new scan. */
  get(): Scan | null {
    const entry = this.#entry;
    if (entry === null || entry.claimsLeft === 0) return null;
    if (this.#clock.monotonicMs() >= entry.expiresMs) return null;
    entry.claimsLeft -= 1;
    return entry.scan;
  }

  set(scan: Scan): void {
    const expiresMs = this.#clock.monotonicMs() + TUNING.scanAgeMsMax;
    // The claim that ran the scan counts as the first claim of the round.
    this.#entry = { scan, expiresMs, claimsLeft: TUNING.claimsPerRound - 1 };
  }

  /** Must be called when deliveries become due, or when a scan did not fill a claim. */
  clear(): void {
    this.#entry = null;
  }
}

/** A due delivery. */
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
  /** The data that the receiver last acknowledged for this symbol. */
  acknowledgedData: string | null;
  /**
   * Fields listed in deliveries since the last acknowledgment. Null if the endpoint is not
   * subscribed to the symbol.
   */
  namedFields: string[] | null;
}

/** An endpoint, already locked by the caller, that can take more deliveries. */
export interface EndpointCapacity {
  endpointId: string;
  /** Symbols with a delivery in flight. */
  busySymbols: ReadonlySet<string>;
  limit: number;
  /** Where the search starts, or null for the first entry. */
  dueFrom: Instant | null;
}

/**
 * Returns the due deliveries of the given endpoints, oldest first, except those for symbols that
 * already have a delivery in flight. The caller must hold the locks on the endpoints.
 */
export async function loadDueDeliveries(
  tx: Transaction,
  capacities: readonly EndpointCapacity[],
  now: Instant,
): Promise<DueDelivery[]> {
  // Returns at most `limit` rows per endpoint, using index delivery_due.
  return tx.query<DueDelivery & Row>(
    `select d.*, s.answered_data as "acknowledgedData", s.named_fields as "namedFields"
       from unnest($1::text[], $3::text[], $4::int4[], $5::float8[])
            as e(id, busy, count, due_from) cross join lateral (
       select w.id, w.endpoint_id as "endpointId", w.template_id as "templateId",
              w.event_type as "eventType", w.symbol, w.is_test as "isTest",
              w.names_all as "namesAll", w.changed_fields as "changedFields",
              w.may_have_left as "maybeSent", w.sent_data as "sentData",
              w.changed_at as "changedAt", w.created_at as "createdAt",
              w.attempt_count as "attemptCount", w.unknown_count as "unknownCount",
              w.max_attempts as "maxAttempts"
         from delivery w
        where w.endpoint_id = e.id and w.state in ('pending', 'retrying')
          and w.due_at >= to_timestamp(e.due_from / 1000.0)
          and w.due_at <= to_timestamp($2 / 1000.0) and w.symbol <> all(e.busy::text[])
        order by w.due_at, w.id limit e.count) d
       left join webhook_subscription s
         on s.template_id = d."templateId" and s.symbol = d.symbol
        and s.endpoint_id = d."endpointId"`,
    [
      capacities.map(({ endpointId }) => endpointId),
      now,
      capacities.map(({ busySymbols }) => writeArrayLiteral([...busySymbols])),
      capacities.map(({ limit }) => limit),
      capacities.map(({ dueFrom }) => dueFrom ?? 0),
    ],
  );
}

/** Returns the symbols of each endpoint with a delivery in flight in any process. */
export async function loadBusySymbols(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await tx.query<{ endpointId: string; symbol: string }>(
    `select f.endpoint_id as "endpointId", f.symbol from ${IN_FLIGHT} f
      where f.endpoint_id = any($1::text[])`,
    [endpointIds],
  );
  const busy = new Map(endpointIds.map((id) => [id, new Set<string>()]));
  for (const { endpointId, symbol } of rows) busy.get(endpointId)?.add(symbol);
  return busy;
}
