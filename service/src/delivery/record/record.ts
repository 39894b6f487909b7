import type { AttemptResult } from '../claim/claimed-delivery.ts';
import type { RecordedAlert } from '../../webhooks/endpoint/alerts.ts';
import { lockChangedBySuccess, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { compareText } from '../../platform/compare.ts';
import type { Transaction } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import type { EngineDeps } from '../engine.ts';
import { HealthUpdates, SUCCESS_UPDATE_INTERVAL_MS } from './health-updates.ts';
import { nextState, outcomeOf, wasMaybeSent } from './next-state.ts';
import { releaseOwned } from './release-claims.ts';
import {
  inheritAllFields,
  LeaseLostError,
  loadOwned,
  type Transition,
  writeDelivered,
  writeLateResults,
  writeTransitions,
} from './write-results.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Records a batch of attempts and the next states of their deliveries in one transaction. If a
 * lease had expired, only the attempt is recorded, because another claim may own the delivery by
 * now. Returns the alerts that were recorded.
 */
export async function recordAttempts(
  deps: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<RecordedAlert[]> {
  // Uses cached plans, because planning took a seventh of the store's time for a batch of 64.
  const run = (record: typeof recordMixed) =>
    deps.db.transaction((tx) => record(tx, deps, batch), { keepsPlans: true });
  if (!batch.every(isDelivered)) return run(recordMixed);
  try {
    return await run(recordDelivered);
  } catch (error) {
    // If the lease had expired, the attempt already has a row.
    if (!(error instanceof LeaseLostError) && sqlState(error) !== UNIQUE_VIOLATION) throw error;
    return run(recordMixed);
  }
}

function isDelivered({ outcome }: AttemptResult): boolean {
  return outcomeOf(outcome)?.kind === 'delivered';
}

/**
 * Records a batch in which every attempt was delivered, as is nearly always the case. Pending
 * deliveries do not affect such attempts, and ownership is not checked beforehand: if a lease was
 * lost, `writeDelivered` throws and the transaction rolls back.
 *
 * Locks only endpoints that a 2xx response changes. A claim or fan-out holds its locks on the other
 * endpoints for the time that hundreds of deliveries take, and skips endpoints that are locked
 * here. A 2xx response either does not change the values that other transactions read under an
 * endpoint's lock, or changes them in this transaction together with the delivery.
 */
export async function recordDelivered(
  tx: Transaction,
  { clock }: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<RecordedAlert[]> {
  const staleBefore = Math.max(...batch.map(({ at }) => at)) - SUCCESS_UPDATE_INTERVAL_MS;
  const endpointIds = batch.map(({ delivery }) => delivery.endpointId);
  const endpoints = await lockChangedBySuccess(tx, endpointIds, staleBefore);
  const health = new HealthUpdates();
  for (const result of batch) {
    const endpoint = endpoints.get(result.delivery.endpointId);
    if (endpoint !== undefined) health.apply(endpoint, result, { kind: 'delivered' });
  }
  await writeDelivered(tx, batch.toSorted(bySubscription));
  return health.save(tx, clock.now());
}

/** Orders results so that subscriptions are locked in the order that every transaction uses. */
function bySubscription({ delivery: a }: AttemptResult, { delivery: b }: AttemptResult): number {
  return (
    compareText(a.endpointId, b.endpointId) ||
    compareText(a.template.templateId, b.template.templateId) ||
    compareText(a.symbol, b.symbol)
  );
}

/**
 * Records attempts with any outcome. First checks which of their deliveries this process still
 * owns.
 */
async function recordMixed(
  tx: Transaction,
  { clock, random }: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<RecordedAlert[]> {
  const claims = batch.map(({ delivery }) => delivery);
  const endpointIds = claims.map(({ endpointId }) => endpointId);
  // The statements run in this order but are sent together to save a round trip.
  const [endpoints, owned] = await Promise.all([
    lockEndpoints(tx, endpointIds),
    loadOwned(tx, claims),
  ]);
  const transitions: Transition[] = [];
  const late: AttemptResult[] = [];
  const health = new HealthUpdates();
  for (const result of batch) {
    const { delivery } = result;
    const outcome = outcomeOf(result.outcome);
    if (outcome === null) continue;
    const endpoint = endpoints.get(delivery.endpointId);
    if (endpoint === undefined || !owned.has(delivery.id)) {
      late.push(result);
      continue;
    }
    const isDisabled = health.apply(endpoint, result, outcome);
    const context = {
      successorId: owned.get(delivery.id) ?? null,
      endpoint: { ...endpoint, isDisabled },
      draw: random.float(),
    };
    transitions.push({
      delivery,
      result,
      nextState: nextState(result, outcome, context),
      maybeSent: wasMaybeSent(result.outcome),
      at: result.at,
    });
  }
  await writeTransitions(tx, transitions);
  await writeLateResults(tx, late);
  const superseded = transitions.filter(
    (transition) => transition.nextState.state === 'superseded',
  );
  await inheritAllFields(
    tx,
    superseded.map((transition) => transition.delivery.id),
  );
  const alerts = await health.save(tx, clock.now());
  const unsent = batch.filter(
    ({ outcome, delivery }) => outcomeOf(outcome) === null && owned.has(delivery.id),
  );
  await releaseOwned(
    tx,
    unsent.map(({ delivery }) => delivery),
    { endpoints, successors: owned },
    clock.now(),
  );
  return alerts;
}
