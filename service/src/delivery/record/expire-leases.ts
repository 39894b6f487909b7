import { INTERRUPTED_ATTEMPTS_MAX } from '../../webhooks/queue/retry-schedule.ts';
import {
  type LockedEndpoint,
  lockEndpoints,
  pendingState,
} from '../../webhooks/endpoint/lock-endpoints.ts';
import {
  type ClaimEntry,
  type InFlightAttempt,
  loadInFlight,
} from '../../webhooks/queue/in-flight.ts';
import type { SqlValue, Transaction } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import type { NextState } from './next-state.ts';
import { loadOwned, type Transition, writeTransitions } from './write-results.ts';

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
    return endAttempts(deps, tx, endpoints, {
      condition: 'f.token = any($1::text[])',
      params: [tokens],
    });
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
      params: [
        claims.map(({ claimToken }) => claimToken),
        claims.map(({ claimPlace }) => claimPlace),
      ],
    });
  });
}

/** Ends the attempts in flight for which a condition is true. Their endpoints must be locked. */
async function endAttempts(
  { clock }: EngineDeps,
  tx: Transaction,
  endpoints: ReadonlyMap<string, LockedEndpoint>,
  { condition, params }: { condition: string; params: readonly SqlValue[] },
): Promise<number> {
  const now = clock.now();
  const attempts = await loadInFlight(tx, condition, params);
  const successors = await loadOwned(tx, attempts);
  const transitions = attempts.map((delivery): Transition => {
    const supersededBy = successors.get(delivery.id) ?? null;
    const state = stateOf(delivery, supersededBy, endpoints.get(delivery.endpointId));
    const nextState = { state, supersededBy, dueAt: now };
    return { delivery, result: null, nextState, maybeSent: true, at: now };
  });
  await writeTransitions(tx, transitions);
  return attempts.length;
}

function stateOf(
  { isTest, unknownCount }: InFlightAttempt,
  successorId: string | null,
  endpoint: LockedEndpoint | undefined,
): NextState['state'] {
  if (successorId !== null) return 'superseded';
  if (isTest || unknownCount + 1 >= INTERRUPTED_ATTEMPTS_MAX) return 'failed';
  return pendingState(endpoint, 'retrying');
}
