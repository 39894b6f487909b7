import { classifyAttempt } from '../../webhooks/queue/attempt-outcome.ts';
import { type Sql, sql } from '../../storage/sql.ts';
import type { AttemptResult, ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { PostOutcome } from '../send/agent.ts';

/** A delivery of a claim, as sent. */
export type SentDelivery = Pick<
  ClaimedDelivery,
  'id' | 'attemptNumber' | 'claimToken' | 'claimPlace' | 'startedAt' | 'body' | 'data'
> & { changedFields: readonly string[] };

/** The columns of an attempt. Instants and durations are in milliseconds. */
export const ATTEMPT = {
  delivery_id: 'text',
  n: 'int4',
  attempt_state: 'text',
  claim_token: 'text',
  started_at: 'float8',
  request_body: 'text',
  duration_ms: 'float8',
  dns_ms: 'float8',
  connect_ms: 'float8',
  tls_ms: 'float8',
  first_byte_ms: 'float8',
  request_headers: 'text',
  remote_address: 'text',
  response_status: 'int4',
  response_headers: 'text',
  response_body: 'text',
  truncated: 'bool',
  error_code: 'text',
  error_detail: 'text',
} as const;

export const ATTEMPT_COLUMNS = columnsOf(ATTEMPT);

export function columnsOf<Shape extends object>(shape: Shape): (keyof Shape & string)[] {
  return Object.keys(shape) as (keyof Shape & string)[];
}

export function insertAttempts(rows: Sql): Sql {
  return sql`
    insert into delivery_attempt as a
           (delivery_id, n, state, claim_token, started_at, request_body, duration_ms, dns_ms,
            connect_ms, tls_ms, first_byte_ms, request_headers, remote_address, response_status,
            response_headers, response_body, truncated, error_code, error_detail)
    select r.delivery_id, r.n, r.attempt_state, r.claim_token, to_timestamp(r.started_at / 1000.0),
           r.request_body, r.duration_ms, r.dns_ms, r.connect_ms, r.tls_ms, r.first_byte_ms,
           r.request_headers::json, r.remote_address, r.response_status, r.response_headers::json,
           r.response_body, r.truncated, r.error_code, r.error_detail
      from ${rows}`;
}

/** Earlier versions inserted a row for an attempt at its start. Such a row is updated. */
export const IF_STARTED = sql`
    on conflict (delivery_id, n) do update
       set state = excluded.state, error_code = excluded.error_code
     where a.claim_token = excluded.claim_token and a.state = 'started'`;

/** An attempt with an unknown outcome. */
export function unknownRow(delivery: SentDelivery) {
  const { id, attemptNumber, claimToken, startedAt, body } = delivery;
  return {
    delivery_id: id,
    n: attemptNumber,
    attempt_state: 'unknown',
    claim_token: claimToken,
    started_at: startedAt,
    request_body: body,
    ...NOT_MEASURED,
    request_headers: null,
    remote_address: null,
    ...noResponse('unknown', null),
  };
}

const NOT_MEASURED = {
  duration_ms: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
};

export function attemptRow({ delivery, outcome, requestHeaders, at }: AttemptResult) {
  const { timings } = outcome;
  // An attempt may start some time after its claim. `Retry-After` counts from its end.
  const startedAt = Math.max(delivery.startedAt, at - Math.ceil(timings.totalMs));
  return {
    delivery_id: delivery.id,
    n: delivery.attemptNumber,
    attempt_state: 'finished',
    claim_token: delivery.claimToken,
    started_at: startedAt,
    request_body: delivery.body,
    duration_ms: timings.totalMs,
    dns_ms: timings.dnsMs,
    connect_ms: timings.connectMs,
    tls_ms: timings.tlsMs,
    first_byte_ms: timings.firstByteMs,
    request_headers: JSON.stringify(requestHeaders),
    remote_address: outcome.remoteAddress,
    ...responseColumns(outcome),
  };
}

function responseColumns(outcome: PostOutcome) {
  if (outcome.kind === 'failed') return noResponse(outcome.code, outcome.detail);
  const { status, headers, body, truncated } = outcome;
  const result = classifyAttempt({ status });
  const isDelivered = result.kind === 'delivered';
  return {
    response_status: status,
    response_headers: JSON.stringify(headers),
    response_body: body,
    truncated,
    error_code: isDelivered ? null : result.code,
    error_detail: isDelivered
      ? null
      : `The receiver responded with ${status}. Only 2xx counts as delivered.`,
  };
}

function noResponse(code: string, detail: string | null) {
  const response = { response_status: null, response_headers: null, response_body: null };
  return { ...response, truncated: false, error_code: code, error_detail: detail };
}
