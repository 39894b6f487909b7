import { LEASE_MS } from '../../webhooks/queue/in-flight-attempt.ts';
import type { Instant } from '../../platform/instant.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import type { Transaction } from '../../storage/db.ts';
import { poolTexts } from '../../storage/values/text-pool.ts';
import { toColumns } from '../../storage/values/to-columns.ts';

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
  changedFields: readonly string[];
}

/**
 * Marks deliveries as under way before a byte leaves, with the data that are sent: whatever happens
 * to the process, the store knows what the receiver may hold. The attempt is a row of its own only
 * when it is over, since a row written twice costs twice: until then the delivery tells its number,
 * its token, by the lease when it began, and what its body is made of.
 *
 * Its commit must be synchronous. A database that crashed and forgot it would forget that a byte may
 * have left as well: the next change would join this id with other data, which a receiver that drops
 * repetitions by id never takes in.
 */
export async function writeClaims(
  tx: Transaction,
  claims: readonly ClaimRow[],
  now: Instant,
): Promise<void> {
  if (claims.length === 0) return;
  // Those of one company are told the same.
  const data = poolTexts(claims.map((claim) => claim.data));
  const columns = toColumns(claims.map(rowOf), 4);
  // One row each, by the primary key.
  await tx.query(
    `update delivery d
        set state = 'in_progress', claim_token = c.token,
            lease_until = to_timestamp(($1::float8 + ${LEASE_MS}) / 1000.0),
            attempt_count = c.n, may_have_left = true, sent_data = ($7::text[])[c.data],
            changed_fields = c.named::text[],
            first_attempt_at = coalesce(d.first_attempt_at, to_timestamp($1 / 1000.0))
       from unnest($2::text[], $3::int4[], $4::text[], $5::int4[], $6::text[])
         as c(id, n, token, data, named)
      where d.id = c.id`,
    [now, ...columns.slice(0, 3), data.places, ...columns.slice(3), data.texts],
  );
}

/** In the order of the columns of `c`, but for the data. */
function rowOf({ id, n, claimToken, changedFields }: ClaimRow) {
  return [id, n, claimToken, writeArrayLiteral(changedFields)];
}
