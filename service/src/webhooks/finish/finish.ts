import { recordAlerts } from '../../deliveries/endpoint/alerts.ts';
import type { ToldAlert } from '../../deliveries/endpoint/alerts.ts';
import { afterFailure, afterSuccess } from '../../deliveries/endpoint/endpoint-health.ts';
import type { EndpointHealth } from '../../deliveries/endpoint/endpoint-health.ts';
import { disableEndpoint } from '../../deliveries/endpoint/endpoint-states.ts';
import { lockEndpoints, writeHealth } from '../../deliveries/endpoint/lock-endpoints.ts';
import type { LockedEndpoint } from '../../deliveries/endpoint/lock-endpoints.ts';
import type { Outcome } from '../../deliveries/queue/outcome.ts';
import type { Transaction } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import type { EngineDeps } from '../engine.ts';
import { conclude, mayHaveLeft, outcomeOf } from './conclude.ts';
import type { Finished } from './finished.ts';
import { giveBackIn } from './give-back.ts';
import { makeRetriesDue } from './retries-due.ts';
import type { Recovered } from './retries-due.ts';
import { loadHeld, NotHeldError, passOnNamesAll, writeEnds, writeLate } from './write.ts';
import type { Concluded } from './write.ts';

const UNIQUE_VIOLATION = '23505';

/** The time of the last 2xx is written when it is off by more. */
const SUCCESS_NOTED_EVERY_MS = 60_000;

/**
 * Writes down what became of attempts, in one transaction. Of one whose lease had run out only the
 * attempt is written: its delivery is somebody else's by now. Returns what owners were told.
 */
export async function finishAll(
  deps: EngineDeps,
  batch: readonly Finished[],
): Promise<ToldAlert[]> {
  // With plans that are kept: of the store's time for a batch of 64 a seventh went into planning.
  const finish = (held: Held | null) =>
    deps.db.transaction((tx) => finishIn(tx, deps, { batch, held }), { keepsPlans: true });
  if (!batch.every(isDelivered)) return finish(null);
  try {
    // Nearly always all are held still, and nothing that waits has a say in what was answered 2xx: so
    // nobody asks, and the writing shows it.
    return await finish(new Map(batch.map(({ claimed }) => [claimed.id, null])));
  } catch (error) {
    // The attempt of a lease that has run out is there already.
    if (!(error instanceof NotHeldError) && sqlState(error) !== UNIQUE_VIOLATION) throw error;
    return finish(null);
  }
}

/** Deliveries that this process holds, each with the one that waits for its outcome, or null. */
type Held = ReadonlyMap<string, string | null>;

function isDelivered({ outcome }: Finished): boolean {
  return outcomeOf(outcome)?.kind === 'delivered';
}

async function finishIn(
  tx: Transaction,
  { clock, random }: EngineDeps,
  { batch, held: assumed }: { batch: readonly Finished[]; held: Held | null },
): Promise<ToldAlert[]> {
  const ended = batch.flatMap((finished) => {
    const result = outcomeOf(finished.outcome);
    return result === null ? [] : [{ finished, result }];
  });
  const claims = batch.map(({ claimed }) => claimed);
  // Run in this order; asked for together, since each wait for the store costs time of its own.
  const [endpoints, held] = await Promise.all([
    lockEndpoints(
      tx,
      claims.map(({ endpointId }) => endpointId),
    ),
    assumed ?? loadHeld(tx, claims),
  ]);
  const concluded: Concluded[] = [];
  const late: Finished[] = [];
  const fates = new Map<string, Fate>();
  for (const { finished, result } of ended) {
    const { claimed, outcome } = finished;
    const endpoint = endpoints.get(claimed.endpointId);
    if (endpoint === undefined || !held.has(claimed.id)) {
      late.push(finished);
      continue;
    }
    const fate = fates.get(endpoint.id) ?? newFate(endpoint);
    fates.set(endpoint.id, fate);
    // Nobody is told how an endpoint fares that is deleted.
    if (!endpoint.isDeleted) takeIn(fate, finished, result);
    const conclusion = conclude(finished, result, {
      successorId: held.get(claimed.id) ?? null,
      endpoint: { ...endpoint, isDisabled: endpoint.isDisabled || fate.disable !== null },
      draw: random.float(),
    });
    concluded.push({ finished, conclusion, hasLeft: mayHaveLeft(outcome) });
  }
  await writeEnds(tx, concluded);
  await writeLate(tx, late);
  const superseded = concluded.filter(({ conclusion }) => conclusion.state === 'superseded');
  await passOnNamesAll(
    tx,
    superseded.map(({ finished }) => finished.claimed.id),
  );
  const told: ToldAlert[] = [];
  for (const fate of fates.values()) told.push(...(await writeFate(tx, fate, clock.now())));
  const recovered = [...fates.values()].flatMap((fate) => fate.recovered ?? []);
  await makeRetriesDue(tx, recovered, clock.now());
  const unsent = batch.filter(({ outcome, claimed }) => {
    return outcomeOf(outcome) === null && held.has(claimed.id);
  });
  await giveBackIn(
    tx,
    unsent.map(({ claimed }) => claimed),
    { endpoints, successors: held },
    clock.now(),
  );
  return told;
}

/** What becomes of an endpoint by the attempts of a batch. */
interface Fate {
  endpoint: LockedEndpoint;
  health: EndpointHealth;
  disable: 'failing' | 'gone' | null;
  /** The first time in the batch that it answered again. */
  recovered: Recovered | null;
  alerts: Parameters<typeof recordAlerts>[2][];
}

function newFate(endpoint: LockedEndpoint): Fate {
  return { endpoint, health: endpoint.health, disable: null, recovered: null, alerts: [] };
}

function takeIn(fate: Fate, { claimed, at }: Finished, result: Outcome): void {
  const before = fate.health;
  const isSuccess = result.kind === 'delivered';
  const failure = { deliveryId: claimed.id, now: at, isGone: result.kind === 'gone' };
  const change = isSuccess ? afterSuccess(before, at) : afterFailure(before, failure);
  fate.health = change.health;
  const isDisabling = change.disable !== null && !fate.endpoint.isDisabled && fate.disable === null;
  if (isDisabling) fate.disable = change.disable;
  if (isSuccess && before.isSlow) fate.recovered ??= { ...before, endpointId: fate.endpoint.id };
  const failingSince = change.health.failingSince ?? before.failingSince;
  const kinds = change.alerts.filter((kind) => kind !== 'disabled' || isDisabling);
  if (kinds.length > 0) fate.alerts.push({ kinds, at, failingSince });
}

async function writeFate(tx: Transaction, fate: Fate, now: number): Promise<ToldAlert[]> {
  const { endpoint, health, disable } = fate;
  if (isWorthWriting(endpoint.health, health)) await writeHealth(tx, endpoint.id, health);
  const told: ToldAlert[] = [];
  for (const alerts of fate.alerts) told.push(...(await recordAlerts(tx, endpoint, alerts)));
  if (disable !== null) await disableEndpoint(tx, endpoint.id, { reason: disable, now });
  return told;
}

/** A healthy endpoint that answers 2xx again is written once a minute at most. */
function isWorthWriting(before: EndpointHealth, after: EndpointHealth): boolean {
  const { lastSuccessAt: was, ...rest } = before;
  const { lastSuccessAt: is, ...now } = after;
  if (JSON.stringify(rest) !== JSON.stringify(now)) return true;
  return was !== is && (was === null || is === null || is - was >= SUCCESS_NOTED_EVERY_MS);
}
