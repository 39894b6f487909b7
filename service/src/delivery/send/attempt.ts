import type { Clock } from '../../platform/clock.ts';
import type { PostFailure, PostOutcome, PostTimings } from './agent.ts';
import { AttemptError } from './attempt-error.ts';
import { Deadline } from './deadline.ts';
import { TOTAL_MS } from './limits.ts';
import type { CapturedResponse } from './response-capture.ts';

/** An attempt in progress, with the details that are recorded with its outcome. */
export interface Attempt {
  deadline: Deadline;
  /** Start time, on the monotonic clock. */
  startedAt: number;
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** Time of the first byte, on the monotonic clock. Null before the first byte. */
  sentAt: number | null;
  firstByteMs: number | null;
  /** True if a reused connection was lost before any response. */
  wasIdle: boolean;
}

export function startAttempt(clock: Clock): Attempt {
  const deadline = new Deadline(clock, {
    ms: TOTAL_MS,
    expire: () => new AttemptError('timeout', 'The receiver did not respond in time.'),
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
    wasIdle: false,
  };
}

export function toResponse(
  attempt: Attempt,
  response: CapturedResponse,
  clock: Clock,
): PostOutcome {
  return {
    kind: 'responded',
    status: response.status,
    headers: response.headers,
    ...response.body(),
    remoteAddress: attempt.remoteAddress ?? '',
    timings: timingsOf(attempt, clock),
  };
}

export function toFailure(attempt: Attempt, error: AttemptError, clock: Clock): PostFailure {
  return {
    kind: 'failed',
    code: error.code,
    detail: error.message,
    remoteAddress: attempt.remoteAddress,
    timings: timingsOf(attempt, clock),
    maybeSent: attempt.sentAt !== null,
    wasIdle: attempt.wasIdle,
    ...(error.addressClass === undefined ? {} : { addressClass: error.addressClass }),
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
