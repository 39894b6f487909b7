import { formatInstant } from '../../platform/instant.ts';
import type { Log } from '../../platform/log.ts';
import type { RecordedAlert } from '../../webhooks/endpoint/alerts.ts';
import { outcomeOf } from '../record/next-state.ts';
import type { AttemptResult } from '../claim/claimed-delivery.ts';
import { observe, type WebhookMetrics } from './metrics.ts';

interface ReportDeps {
  metrics: WebhookMetrics;
  log: Log;
}

/**
 * Counts and logs an attempt, or counts a delivery that was released before its attempt. Logs
 * successes at `debug`, because there may be thousands per second.
 */
export function reportAttempt({ metrics, log }: ReportDeps, result: AttemptResult): void {
  const { delivery, outcome, at } = result;
  const attemptOutcome = outcomeOf(outcome);
  if (attemptOutcome === null) {
    metrics.released += 1;
    return;
  }
  const isDelivered = attemptOutcome.kind === 'delivered';
  const code = isDelivered ? 'delivered' : attemptOutcome.code;
  metrics.attempts[code] = (metrics.attempts[code] ?? 0) + 1;
  const addressClass = outcome.kind === 'failed' ? outcome.addressClass : undefined;
  if (addressClass !== undefined) {
    metrics.blockedAddresses[addressClass] = (metrics.blockedAddresses[addressClass] ?? 0) + 1;
  }
  if (isDelivered) observe(metrics.changeToAck, at - delivery.changedAt);
  const fields = {
    event: 'delivery.attempted',
    delivery: delivery.id,
    endpoint: delivery.endpointId,
    customer: delivery.customerId,
    template: delivery.template.templateId,
    symbol: delivery.symbol,
    isTest: delivery.isTest,
    attempt: delivery.attemptNumber,
    outcome: code,
    status: outcome.kind === 'responded' ? outcome.status : null,
    detail: outcome.kind === 'failed' ? outcome.detail : null,
    remoteAddress: outcome.remoteAddress,
    ...outcome.timings,
  } as const;
  if (isDelivered) log.debug(fields, 'webhook delivered');
  else log.info(fields, 'webhook delivery failed');
}

/** Counts and logs alerts after they are committed. */
export function reportAlerts({ metrics, log }: ReportDeps, alerts: readonly RecordedAlert[]): void {
  for (const { endpointId, customerId, kind, failingSince, detail } of alerts) {
    metrics.alerts[kind] = (metrics.alerts[kind] ?? 0) + 1;
    const fields = {
      event: 'endpoint.alert',
      endpoint: endpointId,
      customer: customerId,
      alert: kind,
      failingSince: failingSince === null ? null : formatInstant(failingSince),
      detail,
    } as const;
    if (kind === 'recovered') log.info(fields, 'webhook endpoint recovered');
    else log.warn(fields, 'webhook endpoint alert');
  }
}
