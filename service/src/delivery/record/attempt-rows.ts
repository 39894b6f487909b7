import { classify } from '../../webhooks/queue/attempt-outcome.ts';
import type { AttemptResult } from './attempt-result.ts';

/** How many columns `attemptRow` fills: the first parameters of a statement with `INSERT_ATTEMPTS`. */
export const ATTEMPT_WIDTH = 18;

/** Adds attempts that are over. */
export const INSERT_ATTEMPTS = `
       insert into delivery_attempt as a
              (delivery_id, n, state, claim_token, started_at, request_body, duration_ms, dns_ms,
               connect_ms, tls_ms, first_byte_ms, request_headers, remote_address,
               response_status, response_headers, response_body, truncated, error_code,
               error_detail)
       select r.id, r.n, 'finished', r.token, to_timestamp(r.started / 1000.0), r.sent_body,
              r.total, r.dns, r.connect, r.tls, r.first_byte, r.sent::json, r.remote, r.status,
              r.headers::json, r.body, r.truncated, r.code, r.detail
         from unnest($1::text[], $2::int4[], $3::text[], $4::float8[], $5::text[], $6::float8[],
                     $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::text[],
                     $12::text[], $13::int4[], $14::text[], $15::text[], $16::bool[],
                     $17::text[], $18::text[])
           as r(id, n, token, started, sent_body, total, dns, connect, tls, first_byte, sent,
                remote, status, headers, body, truncated, code, detail)`;

/** In the order of the columns of `r` there. */
export function attemptRow({ delivery: claimed, outcome, requestHeaders }: AttemptResult) {
  const { id, attemptNumber: attempt, claimToken, startedAt, body } = claimed;
  const { totalMs, dnsMs, connectMs, tlsMs, firstByteMs } = outcome.timings;
  const row: (string | number | boolean | null)[] = [id, attempt, claimToken, startedAt, body];
  row.push(totalMs, dnsMs, connectMs, tlsMs, firstByteMs);
  row.push(JSON.stringify(requestHeaders), outcome.remoteAddress);
  if (outcome.kind === 'failed') {
    row.push(null, null, null, false, outcome.code, outcome.detail);
    return row;
  }
  const { status } = outcome;
  const end = classify({ status });
  row.push(status, JSON.stringify(outcome.headers), outcome.body, outcome.truncated);
  if (end.kind === 'delivered') row.push(null, null);
  else row.push(end.code, `The receiver answered ${status}: only 2xx means delivered.`);
  return row;
}
