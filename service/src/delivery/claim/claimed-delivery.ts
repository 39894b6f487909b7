import type { Instant } from '../../platform/instant.ts';
import { renderPayload } from '../../webhooks/message/payload.ts';
import { LEASE_MS } from '../../webhooks/queue/in-flight-attempt.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import type { PostOutcome } from '../send/agent.ts';
import type { ScheduledDelivery } from './scheduler.ts';

/** A delivery that only this process may send until the lease expires. */
export interface ClaimedDelivery {
  id: string;
  customerId: string;
  endpointId: string;
  url: string;
  isDev: boolean;
  /** The endpoint was slow when the delivery was claimed. */
  isSlow: boolean;
  template: Template;
  symbol: string;
  isTest: boolean;
  /** The number of this attempt, from 1. */
  attemptNumber: number;
  /** Earlier attempts with an unknown outcome. */
  unknownCount: number;
  maxAttempts: number;
  claimToken: string;
  /** When the attempt began: at the claim. */
  startedAt: Instant;
  changedAt: Instant;
  isFirstAttempt: boolean;
  body: string;
  changedFields: readonly string[];
  /** The data in the body. */
  data: string;
  /** State before this attempt: the id may have been sent, with this data. */
  previous: { maybeSent: boolean; sentData: string | null };
  /** Latest time for the first byte, on the monotonic clock. */
  sendByMs: number;
}

/** A finished attempt of a claimed delivery. */
export interface AttemptResult {
  delivery: ClaimedDelivery;
  outcome: PostOutcome;
  /** As they were sent. */
  requestHeaders: readonly (readonly [string, string])[];
  at: Instant;
}

/**
 * Time limit for the first byte, from the claim. An attempt takes 15 s at most and another
 * process's clock may be 5 s ahead, so nothing arrives after the lease.
 */
export const SEND_WITHIN_MS = LEASE_MS - 20_000;

export function toClaimed(
  { delivery, endpoint }: ScheduledDelivery,
  claim: {
    template: Template;
    data: string;
    changedFields: readonly string[];
    token: string;
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
    startedAt: claim.now,
    changedAt: delivery.changedAt,
    isFirstAttempt: delivery.attemptCount === 0,
    body: renderPayload({
      id: delivery.id,
      createdAt: delivery.createdAt,
      templateId: delivery.templateId,
      eventType: delivery.eventType,
      symbol: delivery.symbol,
      data,
      changedFields,
    }),
    data,
    changedFields,
    previous: { maybeSent: delivery.maybeSent, sentData: delivery.sentData },
    sendByMs: claim.sendByMs,
  };
}
