import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import { poolTexts } from '../../storage/values/text-pool.ts';
import { LEASE_MS } from '../../webhooks/queue/in-flight-attempt.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/** Cancels deliveries that have nothing to send. */
export async function writeCancelled(
  tx: Transaction,
  cancelled: readonly { id: string; code: string }[],
  now: Instant,
): Promise<void> {
  if (cancelled.length === 0) return;
  await tx.query(
    `update delivery d
        set state = 'cancelled', last_error_code = c.code, finished_at = to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as c(id text, code text) where d.id = c.id`,
    [JSON.stringify(cancelled), now],
  );
}

/**
 * Marks deliveries as in progress and stores the data to send before the first byte is sent. If the
 * process then crashes, the store still has the data that the receiver may have seen. The attempt
 * gets its own row only when it finishes, because writing a row twice costs twice as much. Until
 * then, the delivery row holds the attempt's number and token, its start time (derived from the
 * lease) and the parts of its body.
 *
 * The commit must be synchronous. If a database crash lost the commit, the next change would join a
 * delivery that may have been sent, and a receiver that drops repeated ids would never see that
 * change.
 */
export async function writeClaims(
  tx: Transaction,
  claims: readonly ClaimedDelivery[],
  now: Instant,
): Promise<void> {
  if (claims.length === 0) return;
  // All subscribers to a company receive the same data, so each distinct text is passed to the
  // store once.
  const data = poolTexts(claims.map((claim) => claim.data));
  const rows = new Recordset(
    { id: 'text', n: 'int4', token: 'text', data: 'int4', changed_fields: 'text' },
    claims.map(({ id, attemptNumber, claimToken, changedFields }, index) => ({
      id,
      n: attemptNumber,
      token: claimToken,
      data: data.indexes[index] ?? null,
      changed_fields: writeArrayLiteral(changedFields),
    })),
  );
  const query = sql`
    update delivery d
       set state = 'in_progress', claim_token = c.token,
           claimed_at = (select clock_timestamp()),
           lease_until = to_timestamp(${now + LEASE_MS} / 1000.0),
           attempt_count = c.n, may_have_left = true, sent_data = (${data.texts}::text[])[c.data],
           changed_fields = c.changed_fields::text[],
           first_attempt_at = coalesce(d.first_attempt_at, to_timestamp(${now} / 1000.0))
      from ${rows.as('c')}
     where d.id = c.id`;
  await tx.query(...statement(query));
}
