import type { Clock } from '../../platform/clock.ts';
import type { PostFailure, PostOutcome, PostTimings } from './agent.ts';
import { AttemptError } from './attempt-error.ts';
import type { ExchangeResult } from './exchange.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { TOTAL_MS } from './limits.ts';

/** An attempt under way: what is known of it when it ends, however it ends. */
export interface Attempt {
  deadline: Deadline;
  startedAt: number;
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** On the monotonic clock, like `startedAt`; null while no byte may have left. */
  sentAt: number | null;
  firstByteMs: number | null;
}

export function startAttempt(clock: Clock): Attempt {
  const deadline = startDeadline(clock, {
    ms: TOTAL_MS,
    expire: () => new AttemptError('timeout', 'The receiver did not answer in time.'),
  });
  return {
    deadline,
    startedAt: clock.monotonicMs(),
    remoteAddress: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    sentAt: null,
    firstByteMs: null,
  };
}

export function toResponse(
  attempt: Attempt,
  { answer }: ExchangeResult,
  clock: Clock,
): PostOutcome {
  return {
    kind: 'answered',
    status: answer.status,
    headers: answer.headers,
    ...answer.body(),
    remoteAddress: attempt.remoteAddress ?? '',
    timings: timingsOf(attempt, clock),
  };
}

export function toFailure(attempt: Attempt, failure: AttemptError, clock: Clock): PostFailure {
  return {
    kind: 'failed',
    code: failure.code,
    detail: failure.message,
    remoteAddress: attempt.remoteAddress,
    timings: timingsOf(attempt, clock),
    maybeSent: attempt.sentAt !== null,
    ...(failure.addressClass === undefined ? {} : { addressClass: failure.addressClass }),
  };
}

function timingsOf(attempt: Attempt, clock: Clock): PostTimings {
  const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
  return {
    dnsMs: rounded(attempt.dnsMs),
    connectMs: rounded(attempt.connectMs),
    tlsMs: rounded(attempt.tlsMs),
    firstByteMs: rounded(attempt.firstByteMs),
    totalMs: Math.round(clock.monotonicMs() - attempt.startedAt),
  };
}
