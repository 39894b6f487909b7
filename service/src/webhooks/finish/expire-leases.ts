import { UNKNOWN_ATTEMPTS_MAX } from '../../deliveries/attempt-schedule.ts';
import { lockEndpoints } from '../../deliveries/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSuccessors } from './write.ts';

const BATCH = 256;

/**
 * Deliveries whose process was cut off: nobody knows whether the receiver got them, so they are due
 * at once with the same id and body; superseded when a newer one waits. Returns how many.
 */
export async function expireLeases({ db, clock }: EngineDeps): Promise<number> {
  const expired = await loadExpired(db, clock.now());
  if (expired.length === 0) return 0;
  return db.transaction(async (tx) => {
    const endpoints = await lockEndpoints(
      tx,
      expired.map(({ endpoint_id }) => endpoint_id),
    );
    const now = clock.now();
    // Once more under the locks: one may have finished meanwhile.
    const still = await loadExpired(
      tx,
      now,
      expired.map(({ id }) => id),
    );
    const successors = await loadSuccessors(
      tx,
      still.map(({ id }) => id),
    );
    const rows = still.map((one) => {
      const by = successors.get(one.id) ?? null;
      const isDisabled = endpoints.get(one.endpoint_id)?.isDisabled === true;
      return { id: one.id, token: one.claim_token, by, state: stateOf(one, by, isDisabled) };
    });
    const payload = JSON.stringify(rows);
    // One row each, by the primary key.
    await tx.query(
      `update delivery_attempt a set state = 'unknown', error_code = 'unknown'
         from jsonb_to_recordset($1::jsonb) as r(id text, token text)
        where a.delivery_id = r.id and a.claim_token = r.token and a.state = 'started'`,
      [payload],
    );
    // By the primary key.
    await tx.query(
      `update delivery d
          set state = r.state, claim_token = null, lease_until = null, last_error_code = 'unknown',
              unknown_count = d.unknown_count + 1, due_at = to_timestamp($2 / 1000.0),
              superseded_by = r."by",
              finished_at = case when r.state in ('failed', 'superseded')
                                 then to_timestamp($2 / 1000.0) end
         from jsonb_to_recordset($1::jsonb) as r(id text, state text, "by" text)
        where d.id = r.id`,
      [payload, now],
    );
    // The receiver may hold what they named; at most one row each, by the primary keys.
    await tx.query(
      `update webhook_subscription s
          set named_fields = array(
                select unnest(s.named_fields) union select unnest(d.changed_fields))
         from delivery d
        where d.id = any($1::text[]) and s.template_id = d.template_id and s.symbol = d.symbol
          and s.endpoint_id = d.endpoint_id`,
      [rows.map(({ id }) => id)],
    );
    return rows.length;
  });
}

interface ExpiredRow extends Row {
  id: string;
  endpoint_id: string;
  claim_token: string;
  unknown_count: number;
  is_test: boolean;
}

function stateOf(one: ExpiredRow, successor: string | null, isDisabled: boolean): string {
  if (successor !== null) return 'superseded';
  if (one.is_test || one.unknown_count + 1 >= UNKNOWN_ATTEMPTS_MAX) return 'failed';
  return isDisabled ? 'held' : 'retrying';
}

async function loadExpired(
  db: Queryable,
  now: Instant,
  ids: readonly string[] | null = null,
): Promise<ExpiredRow[]> {
  // A scan of index delivery_in_flight, which has a row for each delivery under way.
  return db.query<ExpiredRow>(
    `select id, endpoint_id, claim_token, unknown_count, is_test from delivery
      where state = 'in_progress' and lease_until <= to_timestamp($1 / 1000.0)
        and ($2::text[] is null or id = any($2::text[]))
      order by lease_until limit ${BATCH}`,
    [now, ids],
  );
}
