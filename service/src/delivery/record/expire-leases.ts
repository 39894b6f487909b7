import { INTERRUPTED_ATTEMPTS_MAX } from '../../webhooks/queue/retry-schedule.ts';
import {
  type LockedEndpoint,
  lockEndpoints,
  pendingState,
} from '../../webhooks/endpoint/lock-endpoints.ts';
import {
  IN_FLIGHT_COLUMNS,
  IN_FLIGHT_TABLES,
  inFlightAttempt,
  type InFlightRow,
} from '../../webhooks/queue/in-flight-attempt.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSuccessors } from './write-results.ts';

const BATCH_SIZE = 256;

/**
 * Ends attempts whose lease expired because their process stopped. The receiver may have the data,
 * so the delivery becomes due now with the same id and body. The delivery is superseded if a newer
 * one is pending, and cancelled if its endpoint was deleted. Returns the number of expired leases.
 */
export async function expireLeases({ db, clock }: EngineDeps): Promise<number> {
  const candidates = await loadExpired(db, clock.now());
  if (candidates.length === 0) return 0;
  return db.transaction(async (tx) => {
    const endpointIds = candidates.map(({ endpointId }) => endpointId);
    const endpoints = await lockEndpoints(tx, endpointIds);
    const now = clock.now();
    // Loads the deliveries again under the locks, because some may have finished by now. Skips
    // deliveries whose 2xx response is being recorded, because that transaction does not lock their
    // endpoint.
    const candidateIds = candidates.map(({ id }) => id);
    const expired = await loadExpired(tx, now, candidateIds);
    const ids = expired.map(({ id }) => id);
    const successors = await loadSuccessors(tx, ids);
    await writeUnknownAttempts(tx, expired);
    const rows = expired.map((delivery) => {
      const supersededBy = successors.get(delivery.id) ?? null;
      const state = stateOf(delivery, supersededBy, endpoints.get(delivery.endpointId));
      return { id: delivery.id, supersededBy, state };
    });
    await tx.query(
      `update delivery d
          set state = r.state, claim_token = null, lease_until = null, last_error_code = 'unknown',
              unknown_count = d.unknown_count + 1, due_at = to_timestamp($2 / 1000.0),
              superseded_by = r."supersededBy",
              finished_at = case when r.state in ('failed', 'superseded', 'cancelled')
                                 then to_timestamp($2 / 1000.0) end
         from jsonb_to_recordset($1::jsonb) as r(id text, state text, "supersededBy" text)
        where d.id = r.id`,
      [JSON.stringify(rows), now],
    );
    // The receiver may have seen the fields listed in these deliveries.
    await tx.query(
      `update webhook_subscription s
          set named_fields = array(
                select unnest(s.named_fields) union select unnest(d.changed_fields))
         from delivery d
        where d.id = any($1::text[]) and s.template_id = d.template_id and s.symbol = d.symbol
          and s.endpoint_id = d.endpoint_id`,
      [ids],
    );
    return rows.length;
  });
}

/**
 * Ends attempts of this process whose outcome it does not wait for, as if their leases had expired.
 */
export async function interruptAttempts(
  deps: EngineDeps,
  claims: readonly { id: string; claimToken: string }[],
): Promise<void> {
  if (claims.length === 0) return;
  // Updates one row per claim.
  await deps.db.query(
    `update delivery d set lease_until = to_timestamp(0)
       from jsonb_to_recordset($1::jsonb) as c(id text, token text)
      where d.id = c.id and d.claim_token = c.token`,
    [JSON.stringify(claims.map(({ id, claimToken }) => ({ id, token: claimToken })))],
  );
  while ((await expireLeases(deps)) > 0);
}

/**
 * Records the attempts with an unknown outcome, built from the columns of their deliveries. Earlier
 * versions inserted a row for the attempt at its start. Such a row is updated.
 */
async function writeUnknownAttempts(
  tx: Transaction,
  expired: readonly ExpiredRow[],
): Promise<void> {
  const rows = new Recordset(
    { id: 'text', n: 'int4', token: 'text', started_at: 'float8', body: 'text' },
    expired.map((delivery) => {
      const { n, startedAt, requestBody } = inFlightAttempt(delivery);
      const { id, claimToken } = delivery;
      return { id, n, token: claimToken, started_at: startedAt, body: requestBody };
    }),
  );
  const query = sql`
    insert into delivery_attempt as a
           (delivery_id, n, state, claim_token, started_at, request_body, error_code)
    select r.id, r.n, 'unknown', r.token, to_timestamp(r.started_at / 1000.0), r.body, 'unknown'
      from ${rows.as('r')}
    on conflict (delivery_id, n) do update set state = 'unknown', error_code = 'unknown'
     where a.claim_token = excluded.claim_token and a.state = 'started'`;
  await tx.query(...statement(query));
}

interface ExpiredRow extends Row, InFlightRow {
  claimToken: string;
  unknownCount: number;
  isTest: boolean;
}

function stateOf(
  { isTest, unknownCount }: ExpiredRow,
  successorId: string | null,
  endpoint: LockedEndpoint | undefined,
): string {
  if (successorId !== null) return 'superseded';
  if (isTest || unknownCount + 1 >= INTERRUPTED_ATTEMPTS_MAX) return 'failed';
  return pendingState(endpoint, 'retrying');
}

/**
 * Loads deliveries whose leases have expired. If `ids` is given, loads only those, locks their rows and
 * skips rows locked by another transaction.
 */
async function loadExpired(
  db: Queryable,
  now: Instant,
  ids: readonly string[] | null = null,
): Promise<ExpiredRow[]> {
  // Scans index delivery_in_flight, which has one row per delivery in progress.
  return db.query<ExpiredRow>(
    `select ${IN_FLIGHT_COLUMNS}, d.claim_token as "claimToken",
            d.unknown_count as "unknownCount", d.is_test as "isTest"
       from ${IN_FLIGHT_TABLES}
      where d.state = 'in_progress' and d.lease_until <= to_timestamp($1 / 1000.0)
        and ($2::text[] is null or d.id = any($2::text[]))
      order by d.lease_until limit ${BATCH_SIZE}
      ${ids === null ? '' : 'for update of d skip locked'}`,
    [now, ids],
  );
}
