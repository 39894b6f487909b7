import { UNKNOWN_ATTEMPTS_MAX } from '../../webhooks/queue/attempt-schedule.ts';
import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import {
  RUNNING_COLUMNS,
  runningAttempt,
  type RunningRow,
} from '../../webhooks/queue/in-flight-attempt.ts';
import { waitingState } from '../../webhooks/queue/waiting-state.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { toColumns } from '../../storage/values/to-columns.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSuccessors } from './write-results.ts';

const BATCH = 256;

/**
 * Deliveries whose process was cut off: nobody knows whether the receiver got them, so they are due
 * at once with the same id and body; superseded when a newer one waits, cancelled when the endpoint is
 * deleted. Returns how many.
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
    // Once more under the locks: one may have finished meanwhile. What is being answered 2xx right now
    // is left alone, since that holds no lock of its endpoint.
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
      return { id: one.id, by, state: stateOf(one, by, endpoints.get(one.endpoint_id)) };
    });
    await writeUnknown(tx, still);
    const payload = JSON.stringify(rows);
    // By the primary key.
    await tx.query(
      `update delivery d
          set state = r.state, claim_token = null, lease_until = null, last_error_code = 'unknown',
              unknown_count = d.unknown_count + 1, due_at = to_timestamp($2 / 1000.0),
              superseded_by = r."by",
              finished_at = case when r.state in ('failed', 'superseded', 'cancelled')
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

/**
 * The attempts of which nobody knows, from what their deliveries tell of them. Earlier versions added
 * an attempt when it began; such a row is marked.
 */
async function writeUnknown(tx: Transaction, expired: readonly ExpiredRow[]): Promise<void> {
  const rows = expired.map((one) => {
    const { n, startedAt, requestBody } = runningAttempt(one);
    return [one.id, n, one.claim_token, startedAt, requestBody];
  });
  // One row each, by the primary key.
  await tx.query(
    `insert into delivery_attempt as a
            (delivery_id, n, state, claim_token, started_at, request_body, error_code)
     select r.id, r.n, 'unknown', r.token, to_timestamp(r.started / 1000.0), r.body, 'unknown'
       from unnest($1::text[], $2::int4[], $3::text[], $4::float8[], $5::text[])
         as r(id, n, token, started, body)
     on conflict (delivery_id, n) do update set state = 'unknown', error_code = 'unknown'
      where a.claim_token = excluded.claim_token and a.state = 'started'`,
    toColumns(rows, 5),
  );
}

interface ExpiredRow extends Row, RunningRow {
  endpoint_id: string;
  claim_token: string;
  unknown_count: number;
  is_test: boolean;
}

function stateOf(
  one: ExpiredRow,
  successor: string | null,
  endpoint: LockedEndpoint | undefined,
): string {
  if (successor !== null) return 'superseded';
  if (one.is_test || one.unknown_count + 1 >= UNKNOWN_ATTEMPTS_MAX) return 'failed';
  return waitingState(endpoint, 'retrying');
}

/** Those of these are locked as well, without what somebody else is writing; null: all, not locked. */
async function loadExpired(
  db: Queryable,
  now: Instant,
  ids: readonly string[] | null = null,
): Promise<ExpiredRow[]> {
  // A scan of index delivery_in_flight, which has a row for each delivery under way.
  return db.query<ExpiredRow>(
    `select ${RUNNING_COLUMNS}, d.endpoint_id, d.claim_token, d.unknown_count, d.is_test
       from delivery d
      where state = 'in_progress' and lease_until <= to_timestamp($1 / 1000.0)
        and ($2::text[] is null or id = any($2::text[]))
      order by lease_until limit ${BATCH} ${ids === null ? '' : 'for update skip locked'}`,
    [now, ids],
  );
}
