import type { Instant } from '../../platform/instant.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const DISABLE_WITHOUT_SUCCESS_MS = 5 * DAY_MS;
const DISABLE_FAILURES = 10;
const DISABLE_SPAN_MS = DAY_MS;
const ALERT_FAILURES = 4;

/** An endpoint's health. Failures are counted since the last 2xx response. */
export interface EndpointHealth {
  /**
   * True if there has been no 2xx response yet or the last attempt failed. Such an endpoint is
   * limited to one attempt at a time.
   */
  isOnProbation: boolean;
  lastSuccessAt: Instant | null;
  lastFailureAt: Instant | null;
  failureCount: number;
  failingSince: Instant | null;
  /** The delivery that failed first in this failure episode. */
  failingDelivery: string | null;
  /** True if more than one delivery failed in this failure episode. */
  failingSeveral: boolean;
  /** Alerts already sent in this failure episode. */
  alerted: readonly AlertKind[];
}

export const ALERT_KINDS = [
  'failing',
  'failing_24h',
  'failing_72h',
  'disabled',
  'recovered',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export interface HealthChange {
  health: EndpointHealth;
  /** Alerts to send now. */
  alerts: AlertKind[];
  /** The reason to disable the endpoint, if it must be disabled. */
  disable: 'failing' | 'gone' | null;
}

export const NEW_ENDPOINT: EndpointHealth = {
  isOnProbation: true,
  lastSuccessAt: null,
  lastFailureAt: null,
  failureCount: 0,
  failingSince: null,
  failingDelivery: null,
  failingSeveral: false,
  alerted: [],
};

export function afterSuccess(health: EndpointHealth, now: Instant): HealthChange {
  return {
    health: {
      ...NEW_ENDPOINT,
      isOnProbation: false,
      lastSuccessAt: now,
      lastFailureAt: health.lastFailureAt,
    },
    alerts: health.alerted.length > 0 ? ['recovered'] : [],
    disable: null,
  };
}

/**
 * Returns the health after a failed attempt. Each alert is sent once per failure episode. A 410
 * response disables the endpoint immediately. Otherwise, the endpoint is disabled after five days
 * without a 2xx response and ten failures that span at least a day and more than one delivery.
 */
export function afterFailure(
  before: EndpointHealth,
  failure: { deliveryId: string; now: Instant; isGone: boolean },
): HealthChange {
  const { deliveryId, now, isGone } = failure;
  const health: EndpointHealth = {
    ...before,
    isOnProbation: true,
    lastFailureAt: now,
    failureCount: before.failureCount + 1,
    failingSince: before.failingSince ?? now,
    failingDelivery: before.failingDelivery ?? deliveryId,
    failingSeveral:
      before.failingSeveral ||
      (before.failingDelivery !== null && before.failingDelivery !== deliveryId),
  };
  const disable = isGone ? 'gone' : hasFailedForGood(health, now) ? 'failing' : null;
  const due = dueAlerts(health, now);
  const alerts: AlertKind[] = disable === null ? due : [...due, 'disabled'];
  return { health: withAlerts(health, alerts), alerts, disable };
}

/** Returns the alerts that are due without a new attempt. */
export function dueAlerts(health: EndpointHealth, now: Instant): AlertKind[] {
  const { failingSince, failureCount, alerted } = health;
  if (failingSince === null) return [];
  const due: AlertKind[] = [];
  if (failureCount >= ALERT_FAILURES) due.push('failing');
  if (now - failingSince >= DAY_MS) due.push('failing_24h');
  if (now - failingSince >= 3 * DAY_MS) due.push('failing_72h');
  return due.filter((kind) => !alerted.includes(kind));
}

export function withAlerts(health: EndpointHealth, alerts: readonly AlertKind[]): EndpointHealth {
  return { ...health, alerted: [...new Set([...health.alerted, ...alerts])] };
}

/**
 * Returns the health of an endpoint after it was enabled or got a new URL. A new failure episode
 * starts, with new alerts. If there were alerts for earlier failures, the first success is still
 * reported as a recovery.
 */
export function afterEnabling(health: EndpointHealth): EndpointHealth {
  const { lastSuccessAt, lastFailureAt, alerted } = health;
  // Keeps only `disabled`, to mark that alerts were sent before. Unlike the other kinds, it may be
  // sent again in the new episode.
  const retained: AlertKind[] = alerted.length === 0 ? [] : ['disabled'];
  return { ...NEW_ENDPOINT, lastSuccessAt, lastFailureAt, alerted: retained };
}

function hasFailedForGood(health: EndpointHealth, now: Instant): boolean {
  const { failingSince, lastSuccessAt, failureCount, failingSeveral } = health;
  if (failingSince === null) return false;
  return (
    now - (lastSuccessAt ?? failingSince) >= DISABLE_WITHOUT_SUCCESS_MS &&
    failureCount >= DISABLE_FAILURES &&
    failingSeveral &&
    now - failingSince >= DISABLE_SPAN_MS
  );
}
