import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { selectPage } from './log-page.ts';
import type { DeliveryState, DeliveryFilter } from './log-query.ts';
import { IN_FLIGHT, loadInFlight } from '../queue/in-flight.ts';

/** A delivery as shown to its owner. */
export interface DeliveryRecord {
  id: string;
  customerId: string;
  endpointId: string;
  templateId: string;
  eventType: string;
  symbol: string;
  state: DeliveryState;
  createdAt: Instant;
  firstAttemptAt: Instant | null;
  /** Null if no attempt is scheduled. */
  nextAttemptAt: Instant | null;
  deliveredAt: Instant | null;
  /** HTTP status of the latest response. */
  responseStatus: number | null;
  attemptCount: number;
  maxAttempts: number;
  /** Duration of the latest attempt in milliseconds. Null while the attempt is in flight. */
  durationMs: number | null;
  lastErrorCode: string | null;
  changedFields: string[];
  /** ID of the original delivery, if this one is a manual redelivery. */
  replayOf: string | null;
  supersededBy: string | null;
  test: boolean;
}

const COLUMNS = `d.id, d.customer_id as "customerId", d.endpoint_id as "endpointId", d.template_id as "templateId",
       d.event_type as "eventType", d.symbol, d.created_at as "createdAt",
       case when f.n is null then d.state else 'in_progress' end as state,
       coalesce(d.first_attempt_at, f.claimed_at) as "firstAttemptAt",
       case when f.n is null and d.state in ('pending', 'retrying') then d.due_at end
         as "nextAttemptAt",
       d.delivered_at as "deliveredAt", d.response_status as "responseStatus",
       coalesce(f.n, d.attempt_count) as "attemptCount", d.max_attempts as "maxAttempts",
       d.last_error_code as "lastErrorCode",
       coalesce(f.changed_fields, d.changed_fields) as "changedFields",
       d.replay_of as "replayOf", d.superseded_by as "supersededBy", d.is_test as test,
       case when f.n is null then (
         select a.duration_ms from delivery_attempt a where a.delivery_id = d.id
          order by a.n desc limit 1) end as "durationMs"`;
const TABLES = `delivery d left join ${IN_FLIGHT} f on f.delivery_id = d.id`;

/** Returns deliveries of one customer or of all customers, newest first. */
export async function listDeliveries(
  db: Queryable,
  filter: DeliveryFilter,
): Promise<DeliveryRecord[]> {
  if (filter.states?.length === 0) return [];
  const { sql, params } = selectPage(filter);
  // Returns at most one page of rows, each with its latest attempt, which is found by primary key.
  return db.query<DeliveryRecord & Row>(
    `select ${COLUMNS} from ${TABLES} where d.id in (${sql}) order by d.id desc`,
    params,
  );
}

/** One attempt to send a delivery. */
export interface AttemptRecord {
  n: number;
  /**
   * `unknown` means that the attempt was interrupted before a response, so the receiver may have
   * received the request.
   */
  state: 'started' | 'finished' | 'unknown';
  startedAt: Instant;
  durationMs: number | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  /** Headers as sent, including the full signature. */
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

/**
 * Returns a customer's delivery with its attempts, oldest first, or null if the customer has no
 * such delivery.
 */
export async function loadDelivery(
  db: Queryable,
  { customerId, deliveryId }: { customerId: string; deliveryId: string },
): Promise<(DeliveryRecord & { attempts: AttemptRecord[] }) | null> {
  const [record] = await db.query<DeliveryRecord & Row>(
    `select ${COLUMNS} from ${TABLES} where d.id = $1 and d.customer_id = $2`,
    [deliveryId, customerId],
  );
  if (record === undefined) return null;
  // Returns at most 36 rows.
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
  if (record.state !== 'in_progress') return { ...record, attempts };
  // Returns no row if the attempt has just ended.
  const inFlight = (await loadInFlight(db, 'f.delivery_id = $1', [deliveryId])).map(
    ({ attemptNumber: n, startedAt, body }): AttemptRecord => {
      return { ...UNFINISHED, n, startedAt, requestBody: body };
    },
  );
  const isListed = attempts.at(-1)?.n === inFlight[0]?.n;
  return { ...record, attempts: isListed ? attempts : [...attempts, ...inFlight] };
}

const UNFINISHED = {
  state: 'started' as const,
  durationMs: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  requestHeaders: null,
  remoteAddress: null,
  responseStatus: null,
  responseHeaders: null,
  responseBody: null,
  truncated: false,
  errorCode: null,
  errorDetail: null,
};
