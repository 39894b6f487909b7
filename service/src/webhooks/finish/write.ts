import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import type { Claimed } from '../claim/claimed.ts';
import type { Conclusion } from './conclude.ts';
import type { Finished } from './finished.ts';

/**
 * Those of these that this process still holds, since their leases did not run out, each with the
 * delivery that waits for its outcome, or null.
 */
export async function loadHeld(
  tx: Transaction,
  claims: readonly Claimed[],
): Promise<ReadonlyMap<string, string | null>> {
  // At most one row a claim, by the primary key; what waits by index delivery_waiting.
  const rows = await tx.query<{ id: string; successor: string | null }>(
    `select d.id, case when not d.is_test then (
              select w.id from delivery w
               where w.endpoint_id = d.endpoint_id and w.template_id = d.template_id
                 and w.symbol = d.symbol and w.state in ('pending', 'retrying', 'held')
                 and not w.is_test) end as successor
       from unnest($1::text[], $2::text[]) as c(id, token)
       join delivery d on d.id = c.id and d.state = 'in_progress' and d.claim_token = c.token`,
    [claims.map(({ id }) => id), claims.map(({ claimToken }) => claimToken)],
  );
  return new Map(rows.map((row) => [row.id, row.successor]));
}

/** The deliveries that wait for the outcome of these, by the id of the one waited for. */
export async function loadSuccessors(
  tx: Transaction,
  deliveryIds: readonly string[],
): Promise<Map<string, string>> {
  // At most one row each, by the primary key and index delivery_waiting.
  const rows = await tx.query<{ id: string; successor: string } & Row>(
    `select d.id, w.id as successor
       from delivery d
       join delivery w on w.endpoint_id = d.endpoint_id and w.template_id = d.template_id
                      and w.symbol = d.symbol and w.state in ('pending', 'retrying', 'held')
                      and not w.is_test
      where d.id = any($1::text[]) and not d.is_test`,
    [deliveryIds],
  );
  return new Map(rows.map((row) => [row.id, row.successor]));
}

export interface Concluded {
  finished: Finished;
  conclusion: Conclusion;
  /** Whether the receiver may hold what was sent. */
  hasLeft: boolean;
}

/**
 * Writes down attempts, those too whose leases had run out, and of those concluded what became of the
 * deliveries and what the receivers hold. One statement, since each costs a way to the store.
 */
export async function writeEnds(
  tx: Transaction,
  ended: readonly Finished[],
  concluded: readonly Concluded[],
): Promise<void> {
  if (ended.length === 0) return;
  // At most one row each of attempts, deliveries and subscriptions, by their primary keys.
  await tx.query(
    `with attempts as (
       update delivery_attempt a
          set state = 'finished', duration_ms = r.total, dns_ms = r.dns, connect_ms = r.connect,
              tls_ms = r.tls, first_byte_ms = r."firstByte", request_headers = r.sent,
              remote_address = r.remote, response_status = r.status, response_headers = r.headers,
              response_body = r.body, truncated = r.truncated, error_code = r.code,
              error_detail = r.detail
         from jsonb_to_recordset($1::jsonb)
           as r(id text, n int4, token text, total float8, dns float8, connect float8, tls float8,
                "firstByte" float8, sent jsonb, remote text, status int4, headers jsonb, body text,
                truncated bool, code text, detail text)
        where a.delivery_id = r.id and a.n = r.n and a.claim_token = r.token),
     deliveries as (
       update delivery d
          set state = r.state, claim_token = null, lease_until = null, superseded_by = r.by,
              due_at = to_timestamp(r.due / 1000.0), may_have_left = r.left, sent_data = r.sent,
              response_status = coalesce(r.status, d.response_status),
              last_error_code = case when r.state = 'delivered' then null else r.code end,
              delivered_at = case when r.state = 'delivered' then to_timestamp(r.at / 1000.0) end,
              finished_at = case when r.ended then to_timestamp(r.at / 1000.0) end
         from jsonb_to_recordset($2::jsonb)
           as r(id text, state text, code text, status int4, "by" text, due float8, at float8,
                "left" bool, sent text, ended bool)
        where d.id = r.id)
     update webhook_subscription s
        set named_fields = case when r."isAnswered" then '{}' else array(
              select unnest(s.named_fields) union select jsonb_array_elements_text(r.named)) end,
            answered_data = case when r."isAnswered" then r.data else s.answered_data end,
            answered_at = case when r."isAnswered" then to_timestamp(r.at / 1000.0)
                               else s.answered_at end
       from jsonb_to_recordset($3::jsonb)
         as r("endpointId" text, "templateId" text, symbol text, "isAnswered" bool, data text,
              at float8, named jsonb)
      where s.template_id = r."templateId" and s.symbol = r.symbol
        and s.endpoint_id = r."endpointId"`,
    [ended.map(attemptRow), concluded.map(deliveryRow), receivedRows(concluded)].map((rows) =>
      JSON.stringify(rows),
    ),
  );
}

function attemptRow({ claimed, outcome, requestHeaders }: Finished) {
  const { timings } = outcome;
  const isAnswer = outcome.kind === 'answered';
  return {
    id: claimed.id,
    n: claimed.attempt,
    token: claimed.claimToken,
    total: timings.totalMs,
    dns: timings.dnsMs,
    connect: timings.connectMs,
    tls: timings.tlsMs,
    firstByte: timings.firstByteMs,
    sent: requestHeaders,
    remote: outcome.remoteAddress,
    status: isAnswer ? outcome.status : null,
    headers: isAnswer ? outcome.headers : null,
    body: isAnswer ? outcome.body : null,
    truncated: isAnswer && outcome.truncated,
    code: isAnswer ? null : outcome.code,
    detail: isAnswer ? null : outcome.detail,
  };
}

function deliveryRow({ finished, conclusion, hasLeft }: Concluded) {
  const { claimed, at } = finished;
  return {
    id: claimed.id,
    state: conclusion.state,
    code: conclusion.code,
    status: conclusion.status,
    by: conclusion.supersededBy,
    due: conclusion.dueAt,
    at,
    left: hasLeft || claimed.before.mayHaveLeft,
    sent: hasLeft ? claimed.data : claimed.before.sentData,
    ended: conclusion.state !== 'retrying' && conclusion.state !== 'held',
  };
}

/** What receivers hold after attempts that were answered 2xx, and may hold after others. */
function receivedRows(concluded: readonly Concluded[]) {
  const told = concluded.filter(({ hasLeft }) => hasLeft);
  return told.map(({ finished: { claimed, at }, conclusion }) => ({
    endpointId: claimed.endpointId,
    templateId: claimed.template.templateId,
    symbol: claimed.symbol,
    isAnswered: conclusion.state === 'delivered',
    data: claimed.data,
    at,
    named: claimed.changedFields,
  }));
}

/** An endpoint that answers again gets what waited for its next attempt at once. */
export async function makeRetriesDue(
  tx: Transaction,
  endpointIds: readonly string[],
  now: Instant,
): Promise<void> {
  if (endpointIds.length === 0) return;
  // By index delivery_due.
  await tx.query(
    `update delivery set due_at = to_timestamp($2 / 1000.0)
      where endpoint_id = any($1::text[]) and state = 'retrying'
        and due_at > to_timestamp($2 / 1000.0)`,
    [endpointIds, now],
  );
}
