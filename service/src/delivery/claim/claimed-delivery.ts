import type { Instant } from '../../platform/instant.ts';
import { LEASE_MS } from '../../webhooks/queue/in-flight-attempt.ts';
import type { Template } from '../../webhooks/templates/template.ts';

/** A delivery that this process may send now: nobody else does before the lease runs out. */
export interface ClaimedDelivery {
  id: string;
  customerId: string;
  endpointId: string;
  url: string;
  isDev: boolean;
  /** The endpoint was in the slow lane when it was claimed. */
  isSlow: boolean;
  template: Template;
  symbol: string;
  isTest: boolean;
  /** The number of this attempt, from 1. */
  attemptNumber: number;
  /** Attempts before this one that had no outcome. */
  unknownCount: number;
  maxAttempts: number;
  claimToken: string;
  /** When the attempt began: that of the claim. */
  startedAt: Instant;
  changedAt: Instant;
  /** This is its first attempt. */
  isFirstAttempt: boolean;
  body: string;
  changedFields: readonly string[];
  /** The data in the body, and what the receiver may hold if no byte of it leaves. */
  data: string;
  previous: { maybeSent: boolean; sentData: string | null };
  /** On the monotonic clock: when the first byte must have left. */
  sendByMs: number;
}

/**
 * How long after the claim the first byte may leave: an attempt takes 15 s at most and another
 * process's clock may be 5 s ahead, so that nothing arrives after the lease.
 */
export const SEND_WITHIN_MS = LEASE_MS - 20_000;
