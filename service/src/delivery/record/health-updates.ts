import { recordAlerts, type RecordedAlert } from '../../webhooks/endpoint/alerts.ts';
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
} from '../../webhooks/endpoint/endpoint-health.ts';
import { disableEndpoint } from '../../webhooks/endpoint/endpoint-states.ts';
import { type LockedEndpoint, writeHealth } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { AttemptOutcome } from '../../webhooks/queue/attempt-outcome.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { advanceRetries, type RecoveredEndpoint } from './recovery-retries.ts';
import type { AttemptResult } from '../claim/claimed-delivery.ts';

/** Minimum interval between updates of `last_success_at` for a healthy endpoint. */
export const SUCCESS_UPDATE_INTERVAL_MS = 60_000;

interface HealthUpdate {
  endpoint: LockedEndpoint;
  health: EndpointHealth;
  disableReason: 'failing' | 'gone' | null;
  /** The endpoint's health before the first success in the batch, if the endpoint was failing. */
  recovered: RecoveredEndpoint | null;
  alerts: Parameters<typeof recordAlerts>[2][];
}

/** Collects the effects of a batch of attempts on the health of their endpoints. */
export class HealthUpdates {
  readonly #updates = new Map<string, HealthUpdate>();

  /**
   * Applies an attempt to the health of its locked endpoint. Returns true if the endpoint is now
   * disabled.
   */
  apply(
    endpoint: LockedEndpoint,
    { delivery, at }: AttemptResult,
    result: AttemptOutcome,
  ): boolean {
    const update = this.#updateOf(endpoint);
    // Deleted endpoints get no alerts.
    if (endpoint.isDeleted) return endpoint.isDisabled;
    const before = update.health;
    const isSuccess = result.kind === 'delivered';
    const failure = { deliveryId: delivery.id, now: at, isGone: result.kind === 'gone' };
    const change = isSuccess ? afterSuccess(before, at) : afterFailure(before, failure);
    update.health = change.health;
    const isDisabling =
      change.disable !== null && !endpoint.isDisabled && update.disableReason === null;
    if (isDisabling) update.disableReason = change.disable;
    if (isSuccess && before.isOnProbation)
      update.recovered ??= { ...before, endpointId: endpoint.id };
    const failingSince = change.health.failingSince ?? before.failingSince;
    const kinds = change.alerts.filter((kind) => kind !== 'disabled' || isDisabling);
    if (kinds.length > 0) update.alerts.push({ kinds, at, failingSince });
    return endpoint.isDisabled || update.disableReason !== null;
  }

  /**
   * Saves the updated health, alerts, disabled endpoints and retries that were moved forward.
   * Returns the alerts that were recorded.
   */
  async save(tx: Transaction, now: Instant): Promise<RecordedAlert[]> {
    const updates = [...this.#updates.values()];
    const changed = updates.filter(({ endpoint, health }) => needsSave(endpoint.health, health));
    await writeHealth(
      tx,
      changed.map(({ endpoint, health }) => ({ id: endpoint.id, health })),
    );
    const recorded: RecordedAlert[] = [];
    for (const { endpoint, alerts, disableReason } of updates) {
      for (const alert of alerts) recorded.push(...(await recordAlerts(tx, endpoint, alert)));
      if (disableReason !== null) {
        await disableEndpoint(tx, endpoint.id, { reason: disableReason, now });
      }
    }
    const recovered = updates.flatMap((update) => update.recovered ?? []);
    await advanceRetries(tx, recovered, now);
    return recorded;
  }

  #updateOf(endpoint: LockedEndpoint): HealthUpdate {
    const existing = this.#updates.get(endpoint.id);
    if (existing !== undefined) return existing;
    const { health } = endpoint;
    const update = { endpoint, health, disableReason: null, recovered: null, alerts: [] };
    this.#updates.set(endpoint.id, update);
    return update;
  }
}

function needsSave(before: EndpointHealth, after: EndpointHealth): boolean {
  const { lastSuccessAt: previousAt, ...previous } = before;
  const { lastSuccessAt: currentAt, ...current } = after;
  if (JSON.stringify(previous) !== JSON.stringify(current)) return true;
  if (previousAt === null || currentAt === null) return previousAt !== currentAt;
  return currentAt - previousAt >= SUCCESS_UPDATE_INTERVAL_MS;
}
