import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { waitingState } from '../../webhooks/queue/waiting-state.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { EngineDeps } from '../engine.ts';
import { loadOwned, inheritAllFields } from './write-results.ts';

/** Gives deliveries back that were claimed and of which no byte left: as if never claimed. */
export async function releaseClaims(
  { db, clock }: EngineDeps,
  claims: readonly ClaimedDelivery[],
): Promise<void> {
  if (claims.length === 0) return;
  await db.transaction(async (tx) => {
    const endpoints = await lockEndpoints(
      tx,
      claims.map(({ endpointId }) => endpointId),
    );
    const held = await loadOwned(tx, claims);
    await releaseOwned(
      tx,
      claims.filter(({ id }) => held.has(id)),
      { endpoints, successors: held },
      clock.now(),
    );
  });
}

/** The same of claims that this process holds, with their endpoints locked. */
export async function releaseOwned(
  tx: Transaction,
  claims: readonly ClaimedDelivery[],
  around: {
    endpoints: ReadonlyMap<string, LockedEndpoint>;
    /** By the delivery that they wait for. */
    successors: ReadonlyMap<string, string | null>;
  },
  now: Instant,
): Promise<void> {
  if (claims.length === 0) return;
  const { endpoints, successors } = around;
  const rows = claims.map((claim) => ({
    id: claim.id,
    n: claim.attemptNumber,
    state: stateOf(claim, endpoints.get(claim.endpointId)),
    left: claim.previous.maybeSent,
    sent: claim.previous.sentData,
    // Two of a subject never wait: the newer one takes its place.
    by: successors.get(claim.id) ?? null,
  }));
  const payload = JSON.stringify(rows);
  // By the primary key.
  await tx.query(
    `update delivery d
        set state = case when r."by" is null then r.state else 'superseded' end,
            superseded_by = r."by",
            finished_at = case when r."by" is not null or r.state = 'cancelled'
                               then to_timestamp($2 / 1000.0) end,
            claim_token = null, lease_until = null, attempt_count = r.n - 1,
            may_have_left = r."left", sent_data = r.sent, due_at = to_timestamp($2 / 1000.0),
            first_attempt_at = case when r.n = 1 then null else d.first_attempt_at end
       from jsonb_to_recordset($1::jsonb)
         as r(id text, n int4, state text, "left" bool, sent text, "by" text)
      where d.id = r.id`,
    [payload, now],
  );
  await inheritAllFields(
    tx,
    rows.flatMap(({ id, by }) => (by === null ? [] : [id])),
  );
}

function stateOf(claim: ClaimedDelivery, endpoint: LockedEndpoint | undefined): string {
  const state = claim.attemptNumber === 1 ? 'pending' : 'retrying';
  // A test goes out to a disabled endpoint too.
  const isDisabled = endpoint?.isDisabled === true && !claim.isTest;
  return waitingState(endpoint && { ...endpoint, isDisabled }, state);
}
