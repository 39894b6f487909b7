import type { Instant } from '../../platform/instant.ts';
import { type PayloadFormat, renderPayload } from '../../webhooks/message/payload.ts';
import { type ClaimEntry, LEASE_MS } from '../../webhooks/queue/in-flight.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import type { PostOutcome } from '../send/agent.ts';
import type { ScheduledDelivery } from './scheduler.ts';

/** A claimed delivery. Only this process may send it until the lease expires. */
export interface ClaimedDelivery extends ClaimEntry {
  id: string;
  customerId: string;
  endpointId: string;
  url: string;
  isDev: boolean;
  /** True if the endpoint was slow when the delivery was claimed. */
  isSlow: boolean;
  template: Template;
  symbol: string;
  isTest: boolean;
  /** Number of this attempt, starting at 1. */
  attemptNumber: number;
  /** Number of earlier attempts with an unknown outcome. */
  unknownCount: number;
  maxAttempts: number;
  /** Start of the attempt, which is the time of the claim. */
  startedAt: Instant;
  changedAt: Instant;
  isFirstAttempt: boolean;
  payloadFormat: PayloadFormat;
  /** True if the request also carries the headers of Standard Webhooks. */
  standardWebhooks: boolean;
  body: string;
  changedFields: readonly string[];
  /** The data sent in the body. */
  data: string;
  /** Latest time at which the first byte may be sent, on the monotonic clock. */
  sendByMs: number;
}

/** A finished attempt to send a claimed delivery. */
export interface AttemptResult {
  delivery: ClaimedDelivery;
  outcome: PostOutcome;
  /** The request headers as sent. */
  requestHeaders: readonly (readonly [string, string])[];
  at: Instant;
}

/**
 * Time limit for the first byte, starting at the claim. An attempt takes at most 15 s and another
 * process's clock may be up to 5 s ahead, so nothing can arrive after the lease has expired.
 */
export const SEND_WITHIN_MS = LEASE_MS - 20_000;

export function toClaimed(
  { delivery, endpoint }: ScheduledDelivery,
  claim: {
    template: Template;
    data: string;
    changedFields: readonly string[];
    token: string;
    place: number;
    now: Instant;
    sendByMs: number;
  },
): ClaimedDelivery {
  const { template, data, changedFields } = claim;
  return {
    id: delivery.id,
    customerId: endpoint.customerId,
    endpointId: endpoint.id,
    url: endpoint.url,
    isDev: endpoint.isDev,
    isSlow: endpoint.health.isOnProbation,
    template,
    symbol: delivery.symbol,
    isTest: delivery.isTest,
    attemptNumber: delivery.attemptCount + 1,
    unknownCount: delivery.unknownCount,
    maxAttempts: delivery.maxAttempts,
    claimToken: claim.token,
    claimPlace: claim.place,
    startedAt: claim.now,
    changedAt: delivery.changedAt,
    isFirstAttempt: delivery.attemptCount === 0,
    payloadFormat: endpoint.payloadFormat,
    standardWebhooks: endpoint.standardWebhooks,
    body: renderPayload({
      format: endpoint.payloadFormat,
      id: delivery.id,
      endpointId: endpoint.id,
      createdAt: delivery.createdAt,
      templateId: delivery.templateId,
      eventType: delivery.eventType,
      symbol: delivery.symbol,
      data,
      changedFields,
    }),
    data,
    changedFields,
    sendByMs: claim.sendByMs,
  };
}
