import { nextAttemptAt } from '../../webhooks/queue/attempt-schedule.ts';
import { classify, type FailureCode, type Outcome } from '../../webhooks/queue/attempt-outcome.ts';
import { waitingState } from '../../webhooks/queue/waiting-state.ts';
import type { Instant } from '../../platform/instant.ts';
import { retryAfter } from '../../platform/retry-after.ts';
import type { PostOutcome } from '../send/agent.ts';
import type { AttemptResult } from './attempt-result.ts';

/** What a delivery becomes after an attempt. */
export interface NextState {
  state: 'delivered' | 'failed' | 'superseded' | 'retrying' | 'held' | 'cancelled';
  code: FailureCode | null;
  status: number | null;
  supersededBy: string | null;
  /** When it is tried again; of use where it waits. */
  dueAt: Instant;
}

/** What stands in the store beside it. */
export interface TransitionContext {
  /** The newer delivery of the same subject that waits for this one's outcome. */
  successorId: string | null;
  endpoint: { isDisabled: boolean; isDeleted: boolean };
  /** From 0 up to 1: when to try again within the allowed. */
  draw: number;
}

/** Null when nothing was attempted: the lease ran out before a byte left. */
export function outcomeOf(outcome: PostOutcome): Outcome | null {
  if (outcome.kind === 'answered') return classify({ status: outcome.status });
  return outcome.code === 'not_sent' ? null : classify({ code: outcome.code });
}

/** Whether the receiver may hold what was sent. */
export function wasMaybeSent(outcome: PostOutcome): boolean {
  return outcome.kind === 'answered' || outcome.maybeSent;
}

/**
 * What a delivery becomes by an attempt with that result: a failed one waits for the next while it has
 * attempts left, unless a newer one takes its place. Attempts of unknown outcome are not counted.
 */
export function nextState(
  { delivery: claimed, outcome, at }: AttemptResult,
  result: Outcome,
  { successorId, endpoint, draw }: TransitionContext,
): NextState {
  if (result.kind === 'delivered') return delivered({ outcome, at });
  const { code } = result;
  const status = statusOf(outcome);
  const base = { status, supersededBy: null, dueAt: at };
  if (result.kind === 'gone') return { ...base, state: 'failed', code };
  if (successorId !== null) {
    return { ...base, state: 'superseded', code, supersededBy: successorId };
  }
  const outcomeCount = claimed.attemptNumber - claimed.unknownCount;
  if (outcomeCount >= claimed.maxAttempts) return { ...base, state: 'failed', code };
  const failed = {
    outcomeCount,
    at,
    status,
    isTimeout: code === 'timeout',
    retryAfter: outcome.kind === 'answered' ? retryAfterOf(outcome.headers, at) : null,
  };
  const dueAt = nextAttemptAt(failed, draw);
  return { ...base, state: waitingState(endpoint, 'retrying'), code, dueAt };
}

/** What a delivery becomes that was answered 2xx. */
function delivered({ outcome, at }: Pick<AttemptResult, 'outcome' | 'at'>): NextState {
  const status = statusOf(outcome);
  return { state: 'delivered', code: null, status, supersededBy: null, dueAt: at };
}

function statusOf(outcome: PostOutcome): number | null {
  return outcome.kind === 'answered' ? outcome.status : null;
}

/** When a receiver wants to be asked again, by the headers of its answer; null when it does not say. */
export function retryAfterOf(
  headers: readonly (readonly [string, string])[],
  at: Instant,
): Instant | null {
  const said = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  return retryAfter(said, at);
}
