import {
  type LockedEndpoint,
  lockEndpoints,
  pendingState,
} from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
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
  const rows = claims.map((claim) => ({
    id: claim.id,
    n: claim.attemptNumber,
    state: stateOf(claim, endpoints.get(claim.endpointId)),
    mayHaveLeft: claim.previous.maybeSent,
    sentData: claim.previous.sentData,
    // A subscription may have only one pending delivery, so the newer delivery supersedes this one.
    supersededBy: successors.get(claim.id) ?? null,
  }));
  await tx.query(
    `update delivery d
        set state = case when r."supersededBy" is null then r.state else 'superseded' end,
            superseded_by = r."supersededBy",
            finished_at = case when r."supersededBy" is not null or r.state = 'cancelled'
                               then to_timestamp($2 / 1000.0) end,
            claim_token = null, lease_until = null, attempt_count = r.n - 1,
            may_have_left = r."mayHaveLeft", sent_data = r."sentData",
            due_at = to_timestamp($2 / 1000.0),
            first_attempt_at = case when r.n = 1 then null else d.first_attempt_at end
       from jsonb_to_recordset($1::jsonb)
         as r(id text, n int4, state text, "mayHaveLeft" bool, "sentData" text,
              "supersededBy" text)
      where d.id = r.id`,
    [JSON.stringify(rows), now],
  );
  await inheritAllFields(
    tx,
    rows.flatMap(({ id, supersededBy }) => (supersededBy === null ? [] : [id])),
  );
}

function stateOf(claim: ClaimedDelivery, endpoint: LockedEndpoint | undefined): string {
  const state = claim.attemptNumber === 1 ? 'pending' : 'retrying';
  // Test deliveries are sent even to disabled endpoints.
  const isDisabled = endpoint?.isDisabled === true && !claim.isTest;
  return pendingState(endpoint && { ...endpoint, isDisabled }, state);
}
