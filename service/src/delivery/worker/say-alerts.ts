import type { ToldAlert } from '../../webhooks/endpoint/alerts.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { Log } from '../../platform/log.ts';
import type { WebhookMetrics } from './metrics.ts';

/** Tells who runs the service what owners were told, once it is committed. */
export function sayAlerts(
  { log, metrics }: { log: Log; metrics: WebhookMetrics },
  told: readonly ToldAlert[],
): void {
  for (const { endpointId, customerId, kind, failingSince, detail } of told) {
    metrics.alerts[kind] = (metrics.alerts[kind] ?? 0) + 1;
    const since = failingSince === null ? null : formatInstant(failingSince);
    const facts = { endpoint: endpointId, customer: customerId, alert: kind, failingSince: since };
    if (kind === 'recovered') log.info(facts, detail);
    else log.warn(facts, detail);
  }
}
