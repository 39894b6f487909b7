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
 * Records a batch of attempts and the next states of their deliveries in one transaction. If a lease
 * had expired, only the attempt is recorded, because the delivery belongs to another claim by now.
 * Returns the alerts that were recorded.
 */
export async function recordAttempts(
  deps: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<RecordedAlert[]> {
  // Cached plans: planning took a seventh of the store's time for a batch of 64.
  const run = (record: typeof recordMixed) =>
    deps.db.transaction((tx) => record(tx, deps, batch), { keepsPlans: true });
  if (!batch.every(isDelivered)) return run(recordMixed);
  try {
    return await run(recordDelivered);
  } catch (error) {
    // After a lease expired, the attempt already has a row.
    if (!(error instanceof LeaseLostError) && sqlState(error) !== UNIQUE_VIOLATION) throw error;
    return run(recordMixed);
  }
}

function isDelivered({ outcome }: AttemptResult): boolean {
  return outcomeOf(outcome)?.kind === 'delivered';
}

/**
 * Records attempts that were all delivered, as nearly all are. Pending deliveries do not affect them,
 * and ownership is not checked beforehand: `writeDelivered` throws if a lease was lost, and the
 * transaction rolls back.
 *
 * Locks only endpoints that a 2xx response changes. A claim or fan-out locks the others for as long as
 * hundreds of deliveries take, and skips endpoints that are locked here. Every value read under an
 * endpoint's lock either does not change on a 2xx response, or changes in this transaction together
 * with the delivery.
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

/** The order in which every transaction locks the subscriptions of an endpoint. */
function bySubscription({ delivery: a }: AttemptResult, { delivery: b }: AttemptResult): number {
  return (
    compareText(a.endpointId, b.endpointId) ||
    compareText(a.template.templateId, b.template.templateId) ||
    compareText(a.symbol, b.symbol)
  );
}

/** Records attempts with any outcome. Checks first which of their deliveries are still owned. */
async function recordMixed(
  tx: Transaction,
  { clock, random }: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<RecordedAlert[]> {
  const claims = batch.map(({ delivery }) => delivery);
  const endpointIds = claims.map(({ endpointId }) => endpointId);
  // The statements run in this order but are sent together, which saves a round trip.
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
      result,
      nextState: nextState(result, outcome, context),
      maybeSent: wasMaybeSent(result.outcome),
    });
  }
  await writeTransitions(tx, transitions);
  await writeLateResults(tx, late);
  const superseded = transitions.filter(
    (transition) => transition.nextState.state === 'superseded',
  );
  await inheritAllFields(
    tx,
    superseded.map(({ result }) => result.delivery.id),
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
