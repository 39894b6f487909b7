import { recordAlerts, type ToldAlert } from '../../webhooks/endpoint/alerts.ts';
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
} from '../../webhooks/endpoint/endpoint-health.ts';
import { disableEndpoint } from '../../webhooks/endpoint/endpoint-states.ts';
import { type LockedEndpoint, writeHealth } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Outcome } from '../../webhooks/queue/attempt-outcome.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { AttemptResult } from './attempt-result.ts';
import { advanceRetries, type RecoveredEndpoint } from './recovery-retries.ts';

/** The time of the last 2xx is written when it is off by more. */
export const SUCCESS_NOTED_EVERY_MS = 60_000;

/** What becomes of an endpoint by the attempts of a batch. */
interface Fate {
  endpoint: LockedEndpoint;
  health: EndpointHealth;
  disable: 'failing' | 'gone' | null;
  /** The first time in the batch that it answered again. */
  recovered: RecoveredEndpoint | null;
  alerts: Parameters<typeof recordAlerts>[2][];
}

/** What becomes of the endpoints of a batch, by their ids. */
export type Fates = Map<string, Fate>;

/** Adds what an attempt says of its endpoint, which is locked; true: it is disabled by now. */
export function takeIn(
  fates: Fates,
  endpoint: LockedEndpoint,
  { delivery: claimed, at }: AttemptResult,
  result: Outcome,
): boolean {
  const fate = fates.get(endpoint.id) ?? newFate(endpoint);
  fates.set(endpoint.id, fate);
  // Nobody is told how an endpoint fares that is deleted.
  if (endpoint.isDeleted) return endpoint.isDisabled;
  const before = fate.health;
  const isSuccess = result.kind === 'delivered';
  const failure = { deliveryId: claimed.id, now: at, isGone: result.kind === 'gone' };
  const change = isSuccess ? afterSuccess(before, at) : afterFailure(before, failure);
  fate.health = change.health;
  const isDisabling = change.disable !== null && !endpoint.isDisabled && fate.disable === null;
  if (isDisabling) fate.disable = change.disable;
  if (isSuccess && before.isSlow) fate.recovered ??= { ...before, endpointId: endpoint.id };
  const failingSince = change.health.failingSince ?? before.failingSince;
  const kinds = change.alerts.filter((kind) => kind !== 'disabled' || isDisabling);
  if (kinds.length > 0) fate.alerts.push({ kinds, at, failingSince });
  return endpoint.isDisabled || fate.disable !== null;
}

function newFate(endpoint: LockedEndpoint): Fate {
  return { endpoint, health: endpoint.health, disable: null, recovered: null, alerts: [] };
}

/** Writes down how endpoints fared and what follows from it. Returns what owners were told. */
export async function writeFates(
  tx: Transaction,
  fates: Fates,
  now: Instant,
): Promise<ToldAlert[]> {
  const all = [...fates.values()];
  const changed = all.filter(({ endpoint, health }) => isWorthWriting(endpoint.health, health));
  await writeHealth(
    tx,
    changed.map(({ endpoint, health }) => ({ id: endpoint.id, health })),
  );
  const told: ToldAlert[] = [];
  for (const { endpoint, alerts, disable } of all) {
    for (const one of alerts) told.push(...(await recordAlerts(tx, endpoint, one)));
    if (disable !== null) await disableEndpoint(tx, endpoint.id, { reason: disable, now });
  }
  const recovered = all.flatMap((fate) => fate.recovered ?? []);
  await advanceRetries(tx, recovered, now);
  return told;
}

/** A healthy endpoint that answers 2xx again is written once a minute at most. */
function isWorthWriting(before: EndpointHealth, after: EndpointHealth): boolean {
  const { lastSuccessAt: was, ...rest } = before;
  const { lastSuccessAt: is, ...now } = after;
  if (JSON.stringify(rest) !== JSON.stringify(now)) return true;
  return was !== is && (was === null || is === null || is - was >= SUCCESS_NOTED_EVERY_MS);
}
