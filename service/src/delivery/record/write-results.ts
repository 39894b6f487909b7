import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { poolTexts } from '../../storage/values/text-pool.ts';
import { toColumns } from '../../storage/values/to-columns.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { ATTEMPT_WIDTH, attemptRow, INSERT_ATTEMPTS } from './attempt-rows.ts';
import type { NextState } from './next-state.ts';
import type { AttemptResult } from './attempt-result.ts';

/**
 * Those of these that this process still holds, since their leases did not run out, each with the
 * delivery that waits for its outcome, or null.
 */
export async function loadOwned(
  tx: Transaction,
  claims: readonly ClaimedDelivery[],
): Promise<ReadonlyMap<string, string | null>> {
  // At most one row a claim, by the primary key; what waits by index delivery_waiting. Only what is
  // under way has a token; asked for the state as well, the store would look at all that is.
  const rows = await tx.query<{ id: string; successor: string | null }>(
    `select d.id, case when not d.is_test then (
              select w.id from delivery w
               where w.endpoint_id = d.endpoint_id and w.template_id = d.template_id
                 and w.symbol = d.symbol and w.state in ('pending', 'retrying', 'held')
                 and not w.is_test) end as successor
       from unnest($1::text[], $2::text[]) as c(id, token)
       join delivery d on d.id = c.id and d.claim_token = c.token`,
    [claims.map(({ id }) => id), claims.map(({ claimToken }) => claimToken)],
  );
  return new Map(rows.map((row) => [row.id, row.successor]));
}

/** The deliveries that wait for the outcome of these, by the id of the one waited for. */
export async function loadSuccessors(
  tx: Transaction,
  deliveryIds: readonly string[],
): Promise<Map<string, string>> {
  // At most one row each, by the primary key and index delivery_waiting; the limit keeps a plan from
  // reading all that waits.
  const rows = await tx.query<{ id: string; successor: string } & Row>(
    `select d.id, w.id as successor
       from delivery d cross join lateral (
         select id from delivery
          where endpoint_id = d.endpoint_id and template_id = d.template_id and symbol = d.symbol
            and state in ('pending', 'retrying', 'held') and not is_test
          limit 1) w
      where d.id = any($1::text[]) and not d.is_test`,
    [deliveryIds],
  );
  return new Map(rows.map((row) => [row.id, row.successor]));
}

export interface Transition {
  finished: AttemptResult;
  conclusion: NextState;
  /** Whether the receiver may hold what was sent. */
  hasLeft: boolean;
}

/** Somebody else has some of the deliveries by now: what was written must not stand. */
export class LeaseLostError extends Error {}

/**
 * Writes down attempts of deliveries that are held, what became of these and what the receivers hold.
 * One statement, since each costs a way to the store; arrays, since the store reads them faster than
 * JSON. Throws `NotHeldError` when one of them is not held any more. Subscriptions are locked in the
 * order given, since kept plans join one row after the other.
 */
export async function writeResults(
  tx: Transaction,
  concluded: readonly Transition[],
): Promise<void> {
  if (concluded.length === 0) return;
  // Those of one company are told the same.
  const data = poolTexts(concluded.map(dataOf));
  // One row in all. Attempts are added, deliveries and subscriptions found by their primary keys.
  const [written] = await tx.query<{ held: number }>(
    `with attempts as (${INSERT_ATTEMPTS}),
     deliveries as (
       update delivery d
          set state = r.state, claim_token = null, lease_until = null, superseded_by = r.by,
              due_at = to_timestamp(r.due / 1000.0), may_have_left = r.left,
              sent_data = case when r.ended then null when r.has_left then d.sent_data
                               else r.before end,
              response_status = coalesce(r.status, d.response_status),
              last_error_code = case when r.state = 'delivered' then null else r.code end,
              delivered_at = case when r.state = 'delivered' then to_timestamp(r.at / 1000.0) end,
              finished_at = case when r.ended then to_timestamp(r.at / 1000.0) end
         from unnest($3::text[], $19::text[], $20::text[], $21::text[], $22::int4[], $23::text[], $24::float8[],
                     $25::float8[], $26::bool[], $27::bool[], $28::text[], $29::bool[], $30::int4[],
                     $31::text[])
           as r(token, id, state, code, status, "by", due, at, "left", has_left, before, ended, data,
                named)
        where d.id = r.id and d.claim_token = r.token
       returning d.template_id, d.symbol, d.endpoint_id, r.state = 'delivered' as is_answered,
                 r.has_left, r.at, r.data, r.named),
     received as (
     update webhook_subscription s
        set named_fields = case when r.is_answered then '{}' else array(
              select unnest(s.named_fields) union select unnest(r.named::text[])) end,
            answered_data = case when r.is_answered then ($32::text[])[r.data]
                                 else s.answered_data end,
            answered_at = case when r.is_answered then to_timestamp(r.at / 1000.0)
                               else s.answered_at end
       from deliveries r
      where r.has_left and s.template_id = r.template_id and s.symbol = r.symbol
        and s.endpoint_id = r.endpoint_id)
     select count(*)::int4 as held from deliveries`,
    [
      ...toColumns(
        concluded.map(({ finished }) => attemptRow(finished)),
        ATTEMPT_WIDTH,
      ),
      ...toColumns(concluded.map(deliveryRow), 11),
      data.places,
      concluded.map(namedOf),
      data.texts,
    ],
  );
  if (written?.held !== concluded.length) throw new LeaseLostError();
}

/** Writes down attempts whose leases had run out: their deliveries are somebody else's by now. */
export async function writeLateResults(
  tx: Transaction,
  late: readonly AttemptResult[],
): Promise<void> {
  if (late.length === 0) return;
  // One row each: that of the attempt whose outcome nobody knew, by the primary key.
  await tx.query(
    `${INSERT_ATTEMPTS}
     on conflict (delivery_id, n) do update
        set state = 'finished', duration_ms = excluded.duration_ms, dns_ms = excluded.dns_ms,
            connect_ms = excluded.connect_ms, tls_ms = excluded.tls_ms,
            first_byte_ms = excluded.first_byte_ms, request_headers = excluded.request_headers,
            remote_address = excluded.remote_address, response_status = excluded.response_status,
            response_headers = excluded.response_headers, response_body = excluded.response_body,
            truncated = excluded.truncated, error_code = excluded.error_code,
            error_detail = excluded.error_detail
      where a.claim_token = excluded.claim_token`,
    toColumns(late.map(attemptRow), ATTEMPT_WIDTH),
  );
}

/** In the order of the columns of `deliveries`, behind the token, which is that of the attempt. */
function deliveryRow({ finished, conclusion, hasLeft }: Transition) {
  const { delivery: claimed, at } = finished;
  const { state, code, status, supersededBy, dueAt } = conclusion;
  const isEnded = state !== 'retrying' && state !== 'held';
  const mayHaveLeft = hasLeft || claimed.previous.maybeSent;
  // What the claim wrote stands, unless nothing left.
  const before = hasLeft ? null : claimed.previous.sentData;
  const fate = [state, code, status, supersededBy, dueAt, at] as const;
  return [claimed.id, ...fate, mayHaveLeft, hasLeft, before, isEnded];
}

/** What the receiver holds, being answered 2xx; null where that is not said. */
function dataOf({ finished: { delivery: claimed }, conclusion }: Transition): string | null {
  return conclusion.state === 'delivered' ? claimed.data : null;
}

/** What the receiver may have heard of, without having answered 2xx. */
function namedOf({ finished: { delivery: claimed }, conclusion }: Transition): string | null {
  return conclusion.state === 'delivered' ? null : writeArrayLiteral(claimed.changedFields);
}

/**
 * What was asked for with all fields and never left is told with all by the delivery that took its
 * place: it would else name what changed meanwhile alone, or have nothing to tell.
 */
export async function inheritAllFields(
  tx: Transaction,
  supersededIds: readonly string[],
): Promise<void> {
  if (supersededIds.length === 0) return;
  // One row each at most, by the primary key.
  await tx.query(
    `update delivery s set names_all = true
       from delivery d
      where d.id = any($1::text[]) and d.names_all and not d.may_have_left and s.id = d.superseded_by`,
    [supersededIds],
  );
}
