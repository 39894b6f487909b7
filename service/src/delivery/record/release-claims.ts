import {
  type LockedEndpoint,
  lockEndpoints,
  pendingState,
} from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import { endEntries } from '../../webhooks/queue/in-flight.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { EngineDeps } from '../engine.ts';
import { inheritAllFields, loadOwned } from './write-results.ts';

/** Releases claimed deliveries for which no byte was sent, as if they had never been claimed. */
export async function releaseClaims(
  { db, clock }: EngineDeps,
  claims: readonly ClaimedDelivery[],
): Promise<void> {
  if (claims.length === 0) return;
  await db.transaction(async (tx) => {
    const endpointIds = claims.map(({ endpointId }) => endpointId);
    const endpoints = await lockEndpoints(tx, endpointIds);
    const owned = await loadOwned(tx, claims);
    await releaseOwned(
      tx,
      claims.filter(({ id }) => owned.has(id)),
      { endpoints, successors: owned },
      clock.now(),
    );
  });
}

/** Releases claims that this process owns. Their endpoints must be locked. */
export async function releaseOwned(
  tx: Transaction,
  claims: readonly ClaimedDelivery[],
  context: {
    endpoints: ReadonlyMap<string, LockedEndpoint>;
    /** Ids of pending deliveries, keyed by the id of the delivery they wait for. */
    successors: ReadonlyMap<string, string | null>;
  },
  now: Instant,
): Promise<void> {
  if (claims.length === 0) return;
  const { endpoints, successors } = context;
  const rows = new Recordset(
    { claim_token: 'text', place: 'int4', id: 'text', state: 'text', superseded_by: 'text' },
    claims.map((claim) => {
      // A subscription may have only one pending delivery, so the newer delivery supersedes this one.
      const successorId = successors.get(claim.id) ?? null;
      const state =
        successorId === null ? stateOf(claim, endpoints.get(claim.endpointId)) : 'superseded';
      const { id, claimToken, claimPlace } = claim;
      return { claim_token: claimToken, place: claimPlace, id, state, superseded_by: successorId };
    }),
  );
  // Other rows have the state that they had before the claim.
  await tx.query(
    ...statement(sql`
      with ${endEntries(rows.as('e', ['claim_token', 'place']))}
      update delivery d
         set state = r.state, superseded_by = r.superseded_by,
             finished_at = case when r.state in ('superseded', 'cancelled')
                                then to_timestamp(${now} / 1000.0) end
        from ${rows.as('r', ['claim_token', 'id', 'state', 'superseded_by'])}
        join claims on claims.token = r.claim_token
       where d.id = r.id and d.state = 'in_progress'`),
  );
  await inheritAllFields(
    tx,
    claims.flatMap(({ id }) => (successors.get(id) == null ? [] : [id])),
  );
}

function stateOf(claim: ClaimedDelivery, endpoint: LockedEndpoint | undefined): string {
  const state = claim.attemptNumber === 1 ? 'pending' : 'retrying';
  // Test deliveries are sent even to disabled endpoints.
  const isDisabled = endpoint?.isDisabled === true && !claim.isTest;
  return pendingState(endpoint && { ...endpoint, isDisabled }, state);
}
