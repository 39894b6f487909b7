import type { Clock } from '../../platform/clock.ts';
import type { Failed, PostOutcome, PostTimings } from './agent.ts';
import { AttemptFailed } from './attempt-error.ts';
import type { Exchanged } from './exchange.ts';
import { type Limit, startLimit } from './deadline.ts';
import { TOTAL_MS } from './limits.ts';

/** An attempt under way: what is known of it when it ends, however it ends. */
export interface Attempt {
  limit: Limit;
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
  const limit = startLimit(clock, {
    ms: TOTAL_MS,
    expire: () => new AttemptFailed('timeout', 'The receiver did not answer in time.'),
  });
  return {
    limit,
    startedAt: clock.monotonicMs(),
    remoteAddress: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    sentAt: null,
    firstByteMs: null,
  };
}

export function answered(attempt: Attempt, { answer }: Exchanged, clock: Clock): PostOutcome {
  return {
    kind: 'answered',
    status: answer.status,
    headers: answer.headers,
    ...answer.body(),
    remoteAddress: attempt.remoteAddress ?? '',
    timings: timingsOf(attempt, clock),
  };
}

export function failed(attempt: Attempt, failure: AttemptFailed, clock: Clock): Failed {
  return {
    kind: 'failed',
    code: failure.code,
    detail: failure.message,
    remoteAddress: attempt.remoteAddress,
    timings: timingsOf(attempt, clock),
    maySent: attempt.sentAt !== null,
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
