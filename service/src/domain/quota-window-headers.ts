import type { Instant } from '../platform/instant.ts';
import type { ReadLimits } from './plan.ts';
import {
  endOfQuotaDay,
  endOfQuotaMonth,
  type QuotaPeriod,
  type QuotaWindow,
} from './quota-window.ts';
import type { UseReading } from './quota-window-use.ts';

/**
 * Returns the rate limit headers for a response as alternating names and values, following the
 * IETF's RateLimit draft. `q` is the quota, `w` a fixed window in seconds, `r` the number of
 * remaining requests, and `t` the seconds, rounded up, until more are available: until the oldest
 * request leaves the trailing minute, or until the New York midnight that ends the day or month.
 * The three X-RateLimit headers describe the tightest window, which is the one with the fewest
 * remaining requests and then the later reset.
 */
export function limitHeaders(
  plan: ReadLimits,
  reading: UseReading,
  moment: { now: Instant; period: QuotaPeriod },
): string[] {
  const { now } = moment;
  let limit = plan.perMinute;
  let remaining = Math.max(0, limit - reading.minuteUsed);
  let resetAt = now + reading.minuteFreeMs;
  let states = `"minute";r=${remaining};t=${secondsUp(reading.minuteFreeMs)}`;

  function add(window: 'day' | 'month', quota: number, used: number): void {
    const remainingRequests = Math.max(0, quota - used);
    const endsAt = windowEnd(window, reading, moment.period);
    states += `, "${window}";r=${remainingRequests};t=${secondsUp(endsAt - now)}`;
    if (remainingRequests > remaining || (remainingRequests === remaining && endsAt < resetAt))
      return;
    limit = quota;
    remaining = remainingRequests;
    resetAt = endsAt;
  }

  if (plan.perDay !== null) add('day', plan.perDay, reading.dayUsed);
  if (plan.perMonth !== null) add('month', plan.perMonth, reading.monthUsed);
  return [
    'RateLimit-Policy',
    policyOf(plan),
    'RateLimit',
    states,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(secondsUp(resetAt)),
  ];
}

/** The exhausted window that resets last, and the time of its reset. */
export interface Wait {
  window: QuotaWindow;
  limit: number;
  resetAt: Instant;
  /** Rounded up to whole seconds. */
  retryAfterSeconds: number;
}

/**
 * Returns the violated window with the longest wait. `violated` must contain at least one window.
 */
export function longestWait(
  plan: ReadLimits,
  violated: readonly QuotaWindow[],
  reading: UseReading,
  moment: { now: Instant; period: QuotaPeriod },
): Wait {
  const { now } = moment;
  let last: QuotaWindow = 'minute';
  let waitMs = -1;
  for (const window of violated) {
    const ms =
      window === 'minute' ? reading.minuteFreeMs : windowEnd(window, reading, moment.period) - now;
    if (ms <= waitMs) continue;
    waitMs = ms;
    last = window;
  }
  const resetAt = Math.ceil(now + waitMs);
  return {
    window: last,
    limit: limitOf(plan, last),
    resetAt,
    retryAfterSeconds: secondsUp(waitMs),
  };
}

function limitOf(plan: ReadLimits, window: QuotaWindow): number {
  if (window === 'minute') return plan.perMinute;
  return (window === 'day' ? plan.perDay : plan.perMonth) ?? 0;
}

/**
 * Returns the end of the window. This is usually the end of the current period, but a later one
 * after the clock has moved back.
 */
function windowEnd(window: 'day' | 'month', reading: UseReading, period: QuotaPeriod): Instant {
  if (window === 'day') {
    return reading.dayId === period.dayId ? period.dayEndsAt : endOfQuotaDay(reading.dayId);
  }
  return reading.monthId === period.monthId ? period.monthEndsAt : endOfQuotaMonth(reading.monthId);
}

const policies = new WeakMap<ReadLimits, string>();

function policyOf(plan: ReadLimits): string {
  let policy = policies.get(plan);
  if (policy !== undefined) return policy;
  policy = `"minute";q=${plan.perMinute};w=60`;
  if (plan.perDay !== null) policy += `, "day";q=${plan.perDay}`;
  if (plan.perMonth !== null) policy += `, "month";q=${plan.perMonth}`;
  policies.set(plan, policy);
  return policy;
}

function secondsUp(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000);
}
