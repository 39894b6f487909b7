import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../storage/db.ts';

export const DELIVERY_STATES = [
  'pending',
  'in_progress',
  'retrying',
  'held',
  'delivered',
  'failed',
  'superseded',
  'cancelled',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery as its owner reads it. */
export interface DeliveryRecord {
  id: string;
  endpointId: string;
  templateId: string;
  eventType: string;
  symbol: string;
  state: DeliveryState;
  createdAt: Instant;
  firstAttemptAt: Instant | null;
  /** Null where none is planned. */
  nextAttemptAt: Instant | null;
  deliveredAt: Instant | null;
  /** Of the newest answer. */
  responseStatus: number | null;
  attemptCount: number;
  maxAttempts: number;
  lastErrorCode: string | null;
  changedFields: string[];
  /** The delivery that was sent again by hand. */
  replayOf: string | null;
  supersededBy: string | null;
  test: boolean;
}

/** What is asked of the log; what is left out does not matter. */
export interface LogQuery {
  customerId: string;
  endpointId?: string | undefined;
  states?: readonly DeliveryState[] | undefined;
  templateId?: string | undefined;
  symbol?: string | undefined;
  /** Opened at this instant or later. */
  from?: Instant | undefined;
  /** Opened before. */
  to?: Instant | undefined;
  /** The id of the last one seen. */
  before?: string | undefined;
  /** At most 100. */
  limit: number;
}

export const LOG_PAGE_MAX = 100;

const COLUMNS = `d.id, d.endpoint_id as "endpointId", d.template_id as "templateId",
       d.event_type as "eventType", d.symbol, d.state, d.created_at as "createdAt",
       d.first_attempt_at as "firstAttemptAt",
       case when d.state in ('pending', 'retrying') then d.due_at end as "nextAttemptAt",
       d.delivered_at as "deliveredAt", d.response_status as "responseStatus",
       d.attempt_count as "attemptCount", d.max_attempts as "maxAttempts",
       d.last_error_code as "lastErrorCode", d.changed_fields as "changedFields",
       d.replay_of as "replayOf", d.superseded_by as "supersededBy", d.is_test as test`;

/** A customer's deliveries, newest first. */
export async function listDeliveries(db: Queryable, asked: LogQuery): Promise<DeliveryRecord[]> {
  const params: SqlValue[] = [asked.customerId];
  const conditions = ['d.customer_id = $1'];
  function add(condition: (place: string) => string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  }
  add((place) => `d.endpoint_id = ${place}`, asked.endpointId);
  add((place) => `d.state = any(${place}::text[])`, asked.states);
  add((place) => `d.template_id = ${place}`, asked.templateId);
  add((place) => `d.symbol = ${place}`, asked.symbol);
  add((place) => `d.created_at >= to_timestamp(${place} / 1000.0)`, asked.from);
  add((place) => `d.created_at < to_timestamp(${place} / 1000.0)`, asked.to);
  add((place) => `d.id < ${place}`, asked.before);
  params.push(Math.min(asked.limit, LOG_PAGE_MAX));
  // At most a page of rows, backwards on index delivery_by_customer or delivery_by_endpoint.
  return db.query<DeliveryRecord & Row>(
    `select ${COLUMNS} from delivery d where ${conditions.join(' and ')}
      order by d.id desc limit $${params.length}`,
    params,
  );
}

/** One POST of a delivery. */
export interface AttemptRecord {
  n: number;
  /** `unknown`: the process was cut off, and nobody knows whether the receiver got it. */
  state: 'started' | 'finished' | 'unknown';
  startedAt: Instant;
  durationMs: number | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  /** As sent, the signature in full. */
  requestHeaders: [string, string][] | null;
  requestBody: string;
  remoteAddress: string | null;
  responseStatus: number | null;
  responseHeaders: [string, string][] | null;
  responseBody: string | null;
  truncated: boolean;
  errorCode: string | null;
  errorDetail: string | null;
}

/** One delivery of a customer with its attempts, oldest first; null when it is not theirs. */
export async function loadDelivery(
  db: Queryable,
  { customerId, deliveryId }: { customerId: string; deliveryId: string },
): Promise<(DeliveryRecord & { attempts: AttemptRecord[] }) | null> {
  // At most one row, by the primary key.
  const [record] = await db.query<DeliveryRecord & Row>(
    `select ${COLUMNS} from delivery d where d.id = $1 and d.customer_id = $2`,
    [deliveryId, customerId],
  );
  if (record === undefined) return null;
  // At most 36 rows, by the primary key.
  const attempts = await db.query<AttemptRecord & Row>(
    `select n, state, started_at as "startedAt", duration_ms as "durationMs", dns_ms as "dnsMs",
            connect_ms as "connectMs", tls_ms as "tlsMs", first_byte_ms as "firstByteMs",
            request_headers as "requestHeaders", request_body as "requestBody",
            remote_address as "remoteAddress", response_status as "responseStatus",
            response_headers as "responseHeaders", response_body as "responseBody", truncated,
            error_code as "errorCode", error_detail as "errorDetail"
       from delivery_attempt where delivery_id = $1 order by n`,
    [deliveryId],
  );
  return { ...record, attempts };
}
