import type { Instant } from '../../platform/instant.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const DISABLE_WITHOUT_SUCCESS_MS = 5 * DAY_MS;
const DISABLE_FAILURES = 10;
const DISABLE_SPAN_MS = DAY_MS;
const ALERT_FAILURES = 4;

/** How an endpoint fared: failures are those since its last 2xx. */
export interface EndpointHealth {
  /** Never answered 2xx yet, or the last attempt failed: it gets one attempt at a time. */
  isOnProbation: boolean;
  lastSuccessAt: Instant | null;
  lastFailureAt: Instant | null;
  failureCount: number;
  failingSince: Instant | null;
  /** The delivery that failed first. */
  failingDelivery: string | null;
  /** Another one failed too. */
  failingSeveral: boolean;
  /** What the owner was told of these failures. */
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
  /** What the owner is to be told now. */
  alerts: AlertKind[];
  /** Why nothing is to be sent there any more. */
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
 * After an attempt that was not answered 2xx. Each alert is told once in an episode of failures.
 * Disabled at once when nobody lives there any more (410), or after five days without a 2xx with ten
 * failures of several deliveries, a day or more from the first to the last.
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

/** Alerts that time alone makes due, for an endpoint that nothing was sent to since. */
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
 * Enabled again, or given another URL: a new episode begins, of which everything is told anew; and
 * where its owner was told of failures, the first 2xx is still told as a recovery.
 */
export function afterEnabling(health: EndpointHealth): EndpointHealth {
  const { lastSuccessAt, lastFailureAt, alerted } = health;
  // Stands for all that was told: of all kinds this one alone is told again whatever stands here.
  const kept: AlertKind[] = alerted.length === 0 ? [] : ['disabled'];
  return { ...NEW_ENDPOINT, lastSuccessAt, lastFailureAt, alerted: kept };
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
