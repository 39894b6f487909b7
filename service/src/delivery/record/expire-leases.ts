import { INTERRUPTED_ATTEMPTS_MAX } from '../../webhooks/queue/retry-schedule.ts';
import {
  type LockedEndpoint,
  lockEndpoints,
  pendingState,
} from '../../webhooks/endpoint/lock-endpoints.ts';
import {
  bodyInFlight,
  type ClaimEntry,
  endEntries,
  type InFlightRow,
  loadInFlight,
} from '../../webhooks/queue/in-flight.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSuccessors } from './write-results.ts';

/** Maximum number of claims whose attempts one transaction ends. A claim has at most 256. */
const CLAIMS_MAX = 8;

/**
 * Ends attempts whose lease expired because their process stopped. The receiver may have the data,
 * so the delivery becomes due now with the same id and body. The delivery is superseded if a newer
 * one is pending, and cancelled if its endpoint was deleted. Returns the number of ended attempts.
 */
export async function expireLeases(deps: EngineDeps): Promise<number> {
  const { db, clock } = deps;
  // Returns a row per claim with an expired lease. Reads all open claims, which are few.
  const claims = await db.query<{ token: string; endpointIds: string[] }>(
    `select token, endpoint_ids as "endpointIds" from delivery_claim
      where lease_until <= to_timestamp($1 / 1000.0) order by lease_until limit ${CLAIMS_MAX}`,
    [clock.now()],
  );
  if (claims.length === 0) return 0;
  return db.transaction(async (tx) => {
    const endpointIds = claims.flatMap((claim) => claim.endpointIds);
    const endpoints = await lockEndpoints(tx, endpointIds);
    // Skips claims of which a 2xx response is being recorded, because that transaction does not lock
    // the endpoint.
    const locked = await tx.query<{ token: string }>(
      `select token from delivery_claim
        where token = any($1::text[]) and lease_until <= to_timestamp($2 / 1000.0)
          for update skip locked`,
      [claims.map(({ token }) => token), clock.now()],
    );
    const tokens = locked.map(({ token }) => token);
    return endAttempts(deps, tx, endpoints, { condition: 'f.token = any($1::text[])', tokens });
  });
}

/**
 * Ends attempts of this process whose outcome it does not wait for, as if their leases had expired.
 */
export async function interruptAttempts(
  deps: EngineDeps,
  claims: readonly (ClaimEntry & { endpointId: string })[],
): Promise<void> {
  if (claims.length === 0) return;
  await deps.db.transaction(async (tx) => {
    const endpoints = await lockEndpoints(
      tx,
      claims.map(({ endpointId }) => endpointId),
    );
    await endAttempts(deps, tx, endpoints, {
      condition: '(f.token, f.place) in (select * from unnest($1::text[], $2::int8[]))',
      tokens: claims.map(({ claimToken }) => claimToken),
      places: claims.map(({ claimPlace }) => claimPlace),
    });
  });
}

interface Entries {
  /** Condition on the entries, with the tokens as $1 and the places as $2. */
  condition: string;
  tokens: readonly string[];
  places?: readonly number[];
}

/** Ends attempts with an unknown outcome. Their endpoints must be locked. */
async function endAttempts(
  { clock }: EngineDeps,
  tx: Transaction,
  endpoints: ReadonlyMap<string, LockedEndpoint>,
  { condition, tokens, places }: Entries,
): Promise<number> {
  const now = clock.now();
  const columns = `, f.token, f.place::int4, d.unknown_count as "unknownCount", d.is_test as "isTest"`;
  const params = places === undefined ? [tokens] : [tokens, places];
  const attempts = await loadInFlight<ExpiredRow>(tx, { condition, params, columns });
  if (attempts.length === 0) return 0;
  const ids = attempts.map(({ id }) => id);
  const successors = await loadSuccessors(tx, ids);
  const rows = attempts.map((attempt) => {
    const { id, n, token, place, startedAt, data } = attempt;
    const successorId = successors.get(id) ?? null;
    const state = stateOf(attempt, successorId, endpoints.get(attempt.endpointId));
    const changed_fields = writeArrayLiteral(attempt.changedFields);
    const entry = { claim_token: token, place, id, n, started_at: startedAt, data, changed_fields };
    return { ...entry, body: bodyInFlight(attempt), state, superseded_by: successorId };
  });
  await writeUnknown(tx, new Recordset(SHAPE, rows), now);
  return attempts.length;
}

/** Writes ended attempts and the next states of their deliveries. */
async function writeUnknown(
  tx: Transaction,
  rows: Recordset<typeof SHAPE>,
  now: Instant,
): Promise<void> {
  // The receiver may have seen the fields listed in these deliveries. Earlier versions inserted a
  // row for an attempt at its start. Such a row is updated.
  await tx.query(
    ...statement(sql`
      with ${endEntries(rows.as('e', ['claim_token', 'place']))},
      attempts as (
        insert into delivery_attempt as a
               (delivery_id, n, state, claim_token, started_at, request_body, error_code)
        select r.id, r.n, 'unknown', r.claim_token, to_timestamp(r.started_at / 1000.0), r.body,
               'unknown'
          from ${rows.as('r', ['id', 'n', 'claim_token', 'started_at', 'body'])}
        on conflict (delivery_id, n) do update set state = 'unknown', error_code = 'unknown'
         where a.claim_token = excluded.claim_token and a.state = 'started'),
      deliveries as (
        update delivery d
           set state = r.state, last_error_code = 'unknown', unknown_count = d.unknown_count + 1,
               attempt_count = r.n, changed_fields = r.changed_fields::text[],
               first_attempt_at = coalesce(d.first_attempt_at, to_timestamp(r.started_at / 1000.0)),
               may_have_left = true, sent_data = r.data, due_at = to_timestamp(${now} / 1000.0),
               superseded_by = r.superseded_by,
               finished_at = case when r.state in ('failed', 'superseded', 'cancelled')
                                  then to_timestamp(${now} / 1000.0) end
          from ${rows.as('r', DELIVERY)} join claims on claims.token = r.claim_token
         where d.id = r.id
        returning d.template_id, d.symbol, d.endpoint_id, d.changed_fields)
      update webhook_subscription s
         set named_fields = array(
               select unnest(s.named_fields) union select unnest(d.changed_fields))
        from deliveries d
       where s.template_id = d.template_id and s.symbol = d.symbol
         and s.endpoint_id = d.endpoint_id`),
  );
}

const SHAPE = {
  claim_token: 'text',
  place: 'int4',
  id: 'text',
  n: 'int4',
  started_at: 'float8',
  body: 'text',
  data: 'text',
  changed_fields: 'text',
  state: 'text',
  superseded_by: 'text',
} as const;

const DELIVERY = [
  'claim_token',
  'id',
  'n',
  'started_at',
  'data',
  'changed_fields',
  'state',
  'superseded_by',
] as const;

interface ExpiredRow extends Row {
  token: string;
  place: number;
  unknownCount: number;
  isTest: boolean;
}

function stateOf(
  { isTest, unknownCount }: InFlightRow & ExpiredRow,
  successorId: string | null,
  endpoint: LockedEndpoint | undefined,
): string {
  if (successorId !== null) return 'superseded';
  if (isTest || unknownCount + 1 >= INTERRUPTED_ATTEMPTS_MAX) return 'failed';
  return pendingState(endpoint, 'retrying');
}
