import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import { poolTexts } from '../../storage/values/text-pool.ts';
import { LEASE_MS } from '../../webhooks/queue/in-flight.ts';
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
 * Stores which deliveries may be sent, and with which data, before the first byte is sent. If the
 * process then crashes, the store still has the data that the receivers may have seen. The rows of
 * the deliveries stay as they are until their attempts end, because updating them costs more than
 * all other work of a claim.
 *
 * The commit must be synchronous. If a database crash lost the commit, the next change would join a
 * delivery that may have been sent, and a receiver that drops repeated ids would never see that
 * change.
 */
export async function writeClaim(
  tx: Transaction,
  deliveries: readonly ClaimedDelivery[],
  now: Instant,
): Promise<void> {
  const [first] = deliveries;
  if (first === undefined) return;
  // All subscribers to a company receive the same data, so each distinct text is stored once.
  const data = poolTexts(deliveries.map((delivery) => delivery.data));
  const ids = deliveries.map(({ id }) => id);
  const endpointIds = deliveries.map(({ endpointId }) => endpointId);
  const symbols = deliveries.map(({ symbol }) => symbol);
  const attempts = deliveries.map(({ attemptNumber }) => attemptNumber);
  const fields = deliveries.map(({ changedFields }) => writeArrayLiteral(changedFields));
  await tx.query(
    ...statement(sql`
      insert into delivery_claim (token, claimed_at, lease_until, size, delivery_ids, endpoint_ids,
                                  symbols, attempts, changed_fields, data, texts)
      values (${first.claimToken}, to_timestamp(${now} / 1000.0),
              to_timestamp(${now + LEASE_MS} / 1000.0), ${deliveries.length}, ${ids}::text[],
              ${endpointIds}::text[], ${symbols}::text[], ${attempts}::int4[], ${fields}::text[],
              ${data.indexes}::int4[], ${data.texts}::text[])`),
  );
}
