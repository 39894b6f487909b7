import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { ComputeBudget } from '../metering/compute-budget.ts';
import type { Clock } from '../platform/clock.ts';
import { formatInstant } from '../platform/instant.ts';
import { problem, type Problem } from './problems.ts';

/** Returns a problem if the customer may not compute a response now, otherwise null. */
export type CheckCompute = (customer: Pick<ApiKey, 'customerId' | 'plan'>) => Problem | null;

/** Allows every computation. */
export const noComputeLimit: CheckCompute = () => null;

/** Creates a check against the computing time of the customer's plan. */
export function computeCheck(budget: ComputeBudget, clock: Pick<Clock, 'now'>): CheckCompute {
  return ({ customerId, plan }) => {
    const wait = budget.check(customerId, plan);
    if (wait === null) return null;
    const { limitMs, waitMs } = wait;
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    const resetAt = Math.ceil((clock.now() + waitMs) / 1_000) * 1_000;
    const detail =
      `You have used the computing time of your plan, ${limitMs} ms per minute. Responses that are ` +
      `cached are still served. Retry in ${retryAfterSeconds} seconds.`;
    const members = {
      violatedPolicies: ['compute'],
      limit: limitMs,
      resetAt: formatInstant(resetAt),
      retryable: true,
    };
    const headers = [
      'Retry-After',
      String(retryAfterSeconds),
      'RateLimit-Policy',
      `"compute";q=${limitMs};qu="milliseconds";w=60`,
      'RateLimit',
      `"compute";r=0;t=${retryAfterSeconds}`,
      'X-RateLimit-Limit',
      String(limitMs),
      'X-RateLimit-Remaining',
      '0',
      'X-RateLimit-Reset',
      String(resetAt / 1_000),
    ];
    return problem('rate-limited', detail, { members, headers });
  };
}
