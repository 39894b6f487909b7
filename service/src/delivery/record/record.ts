import type { ToldAlert } from '../../webhooks/endpoint/alerts.ts';
import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Transaction } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import type { EngineDeps } from '../engine.ts';
import { nextState, wasMaybeSent, outcomeOf } from './next-state.ts';
import { type Fates, takeIn, writeFates } from './health-updates.ts';
import { recordDelivered } from './finish-delivered.ts';
import type { AttemptResult } from './attempt-result.ts';
import { releaseOwned } from './release-claims.ts';
import {
  type Transition,
  loadOwned,
  LeaseLostError,
  inheritAllFields,
  writeResults,
  writeLateResults,
} from './write-results.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Writes down what became of attempts, in one transaction. Of one whose lease had run out only the
 * attempt is written: its delivery is somebody else's by now. Returns what owners were told.
 */
export async function recordAttempts(
  deps: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<ToldAlert[]> {
  // With plans that are kept: of the store's time for a batch of 64 a seventh went into planning.
  const write = (finish: typeof finishAny) =>
    deps.db.transaction((tx) => finish(tx, deps, batch), { keepsPlans: true });
  if (!batch.every(isDelivered)) return write(finishAny);
  try {
    return await write(recordDelivered);
  } catch (error) {
    // The attempt of a lease that has run out is there already.
    if (!(error instanceof LeaseLostError) && sqlState(error) !== UNIQUE_VIOLATION) throw error;
    return write(finishAny);
  }
}

function isDelivered({ outcome }: AttemptResult): boolean {
  return outcomeOf(outcome)?.kind === 'delivered';
}

/** Whatever became of them, asking which are held still. */
async function finishAny(
  tx: Transaction,
  { clock, random }: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<ToldAlert[]> {
  const claims = batch.map(({ delivery: claimed }) => claimed);
  // Run in this order; asked for together, since each wait for the store costs time of its own.
  const [endpoints, held] = await Promise.all([
    lockEndpoints(
      tx,
      claims.map(({ endpointId }) => endpointId),
    ),
    loadOwned(tx, claims),
  ]);
  const concluded: Transition[] = [];
  const late: AttemptResult[] = [];
  const fates: Fates = new Map();
  for (const finished of batch) {
    const { delivery: claimed, outcome } = finished;
    const result = outcomeOf(outcome);
    if (result === null) continue;
    const endpoint = endpoints.get(claimed.endpointId);
    if (endpoint === undefined || !held.has(claimed.id)) {
      late.push(finished);
      continue;
    }
    const isDisabled = takeIn(fates, endpoint, finished, result);
    const conclusion = nextState(finished, result, {
      successorId: held.get(claimed.id) ?? null,
      endpoint: { ...endpoint, isDisabled },
      draw: random.float(),
    });
    concluded.push({ finished, conclusion, hasLeft: wasMaybeSent(outcome) });
  }
  await writeResults(tx, concluded);
  await writeLateResults(tx, late);
  const superseded = concluded.filter(({ conclusion }) => conclusion.state === 'superseded');
  await inheritAllFields(
    tx,
    superseded.map(({ finished }) => finished.delivery.id),
  );
  const told = await writeFates(tx, fates, clock.now());
  const unsent = batch.filter(({ outcome, delivery: claimed }) => {
    return outcomeOf(outcome) === null && held.has(claimed.id);
  });
  await releaseOwned(
    tx,
    unsent.map(({ delivery: claimed }) => claimed),
    { endpoints, successors: held },
    clock.now(),
  );
  return told;
}
