import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import type { SubscriptionState } from './decide.ts';
import { LEASE_MS } from './claimed.ts';
import type { Candidate } from './lanes.ts';

/** What the receivers of these may hold, by `subscriptionKey`. */
export async function loadSubscriptionStates(
  tx: Transaction,
  candidates: readonly Candidate[],
): Promise<Map<string, SubscriptionState>> {
  // At most one row a candidate, by the primary key.
  const rows = await tx.query<StateRow>(
    `select s.endpoint_id, s.template_id, s.symbol, s.answered_data, s.named_fields
       from unnest($1::text[], $2::text[], $3::text[]) as c(template_id, symbol, endpoint_id)
       join webhook_subscription s
         on s.template_id = c.template_id and s.symbol = c.symbol
        and s.endpoint_id = c.endpoint_id`,
    [
      candidates.map(({ templateId }) => templateId),
      candidates.map(({ symbol }) => symbol),
      candidates.map(({ endpointId }) => endpointId),
    ],
  );
  return new Map(
    rows.map((row) => [
      `${row.endpoint_id} ${row.template_id} ${row.symbol}`,
      { answeredData: row.answered_data, namedFields: row.named_fields },
    ]),
  );
}

export function subscriptionKey(of: {
  endpointId: string;
  templateId: string;
  symbol: string;
}): string {
  return `${of.endpointId} ${of.templateId} ${of.symbol}`;
}

interface StateRow extends Row {
  endpoint_id: string;
  template_id: string;
  symbol: string;
  answered_data: string | null;
  named_fields: string[];
}

/** Ends deliveries that have nothing to tell. */
export async function writeCancelled(
  tx: Transaction,
  cancelled: readonly { id: string; code: string }[],
  now: Instant,
): Promise<void> {
  if (cancelled.length === 0) return;
  // By the primary key.
  await tx.query(
    `update delivery d
        set state = 'cancelled', last_error_code = c.code, finished_at = to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as c(id text, code text) where d.id = c.id`,
    [JSON.stringify(cancelled), now],
  );
}

/** A delivery that is about to be sent. */
export interface ClaimRow {
  id: string;
  n: number;
  claimToken: string;
  data: string;
  body: string;
  changedFields: readonly string[];
}

/**
 * Marks deliveries as under way before a byte leaves, with the body that is sent: whatever happens
 * to the process, the store knows what the receiver may hold.
 */
export async function writeClaims(
  tx: Transaction,
  claims: readonly ClaimRow[],
  now: Instant,
): Promise<void> {
  if (claims.length === 0) return;
  // One row each of deliveries, by the primary key, and of attempts, which are added.
  await tx.query(
    `with claims as (
       select * from jsonb_to_recordset($1::jsonb)
         as c(id text, n int4, "claimToken" text, data text, body text, "changedFields" jsonb)),
     attempts as (
       insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, request_body)
       select c.id, c.n, 'started', c."claimToken", to_timestamp($2 / 1000.0), c.body from claims c)
     update delivery d
        set state = 'in_progress', claim_token = c."claimToken",
            lease_until = to_timestamp(($2::float8 + ${LEASE_MS}) / 1000.0),
            attempt_count = c.n, may_have_left = true, sent_data = c.data,
            changed_fields = array(select jsonb_array_elements_text(c."changedFields")),
            first_attempt_at = coalesce(d.first_attempt_at, to_timestamp($2 / 1000.0))
       from claims c where d.id = c.id`,
    [JSON.stringify(claims), now],
  );
}
