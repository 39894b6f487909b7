import { classifyAttempt, type AttemptOutcome } from '../../webhooks/queue/attempt-outcome.ts';
import { nextAttemptAt } from '../../webhooks/queue/retry-schedule.ts';
import { pendingState } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import { retryAfter } from '../../platform/retry-after.ts';
import type { PostOutcome } from '../send/agent.ts';
import type { AttemptResult } from '../claim/claimed-delivery.ts';

/** The state of a delivery after an attempt. */
export interface NextState {
  state: 'delivered' | 'failed' | 'superseded' | 'retrying' | 'held' | 'cancelled';
  supersededBy: string | null;
  /** Time of the next attempt, if there is one. */
  dueAt: Instant;
}

/** The stored facts that the next state depends on. */
export interface TransitionContext {
  /** The newer delivery for the same subscription that waits for the outcome of this delivery. */
  successorId: string | null;
  endpoint: { isDisabled: boolean; isDeleted: boolean };
  /** Random number for the jitter, at least 0 and less than 1. */
  draw: number;
}

/**
 * Classifies the outcome of a POST. Returns null if nothing was attempted because the lease expired
 * before the first byte.
 */
export function outcomeOf(outcome: PostOutcome): AttemptOutcome | null {
  if (outcome.kind === 'responded') return classifyAttempt({ status: outcome.status });
  return outcome.code === 'not_sent' ? null : classifyAttempt({ code: outcome.code });
}

/** Returns true if the receiver may have the data. */
export function wasMaybeSent(outcome: PostOutcome): boolean {
  return outcome.kind === 'responded' || outcome.maybeSent;
}

/**
 * Returns the state of a delivery after an attempt with this outcome. A failed delivery is retried
 * while it has attempts left, unless a newer delivery supersedes it. Attempts with an unknown
 * outcome do not use up attempts.
 */
export function nextState(
  { delivery, outcome, at }: AttemptResult,
  result: AttemptOutcome,
  { successorId, endpoint, draw }: TransitionContext,
): NextState {
  const base = { supersededBy: null, dueAt: at };
  if (result.kind === 'delivered') return { ...base, state: 'delivered' };
  if (result.kind === 'gone') return { ...base, state: 'failed' };
  if (successorId !== null) return { ...base, state: 'superseded', supersededBy: successorId };
  const outcomeCount = delivery.attemptNumber - delivery.unknownCount;
  if (outcomeCount >= delivery.maxAttempts) return { ...base, state: 'failed' };
  const state = pendingState(endpoint, 'retrying');
  // Nothing is wrong with the receiver, and the next attempt opens a connection.
  if (outcome.kind === 'failed' && outcome.wasIdle === true) return { ...base, state };
  const isResponse = outcome.kind === 'responded';
  const failure = {
    outcomeCount,
    at,
    status: isResponse ? outcome.status : null,
    isTimeout: result.code === 'timeout',
    retryAfter: isResponse ? retryAfterOf(outcome.headers, at) : null,
  };
  const dueAt = nextAttemptAt(failure, draw);
  return { ...base, state, dueAt };
}

/** Returns the instant given by a response's `Retry-After` header, or null if there is none. */
export function retryAfterOf(
  headers: readonly (readonly [string, string])[],
  at: Instant,
): Instant | null {
  const value = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  return retryAfter(value, at);
}
