import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { Cost } from '../domain/quota-window.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { QuotaMeter, Refused, MeterResult } from '../metering/quota-meter.ts';
import { formatInstant, type Instant } from '../platform/instant.ts';
import { problem, type Problem } from './problems.ts';

/** An authenticated request that is about to be counted. */
export interface QuotaRequest {
  key: Pick<ApiKey, 'customerId' | 'plan'>;
  endpoint: Pick<Endpoint, 'name'>;
  /** Requests for data count toward every quota window; all others only toward the minute quota. */
  cost: Cost;
  now: Instant;
  remoteAddress: string;
}

export type QuotaDecision = Admitted | { kind: 'refused'; refusal: Problem };

export interface Admitted {
  kind: 'admitted';
  /** Alternating header names and values to send with the response, regardless of its status. */
  headers: readonly string[];
  /**
   * Restores the day and month quota if the request cost less than was charged or failed because of
   * a server error.
   */
  refund(): void;
  /** Returns the headers after a refund. Absent if a refund does not change the headers. */
  refundedHeaders?: () => readonly string[];
}

/**
 * Counts a request against its quotas, after all other checks and before any lookup. Returns a
 * decision synchronously if the count is in memory, or a promise if the store must confirm it
 * first.
 */
export type CheckQuota = (request: QuotaRequest) => QuotaDecision | Promise<QuotaDecision>;

const UNLIMITED: QuotaDecision = { kind: 'admitted', headers: [], refund: () => undefined };

/** Allows every request. */
export const noQuota: CheckQuota = () => UNLIMITED;

/**
 * Creates a quota check that uses a meter and converts its result into response headers or a
 * problem.
 */
export function quotaCheck(meter: QuotaMeter): CheckQuota {
  return ({ key, cost, now }) => {
    const result = meter.consume({ customerId: key.customerId, plan: key.plan, cost, now });
    return result instanceof Promise ? result.then(decisionOf) : decisionOf(result);
  };
}

function decisionOf(result: MeterResult): QuotaDecision {
  switch (result.kind) {
    case 'admitted':
      return result;
    case 'refused':
      return { kind: 'refused', refusal: limitReached(result) };
    case 'unavailable': {
      const headers = ['Retry-After', String(result.retryAfterSeconds)];
      return {
        kind: 'refused',
        refusal: problem('temporary-reduced-capacity', COUNT_UNAVAILABLE, { headers }),
      };
    }
  }
}

const COUNT_UNAVAILABLE = 'Requests cannot be counted against your plan at the moment.';

function limitReached(refused: Refused): Problem {
  const { code, violated, window, limit, resetAt, retryAfterSeconds, headers } = refused;
  const detail =
    `You have reached the limit of ${limit} requests per ${window}. ` +
    `Retry in ${retryAfterSeconds} seconds.`;
  const members = {
    violatedPolicies: violated,
    limit,
    resetAt: formatInstant(resetAt),
    retryable: true,
  };
  return problem(code, detail, {
    members,
    headers: ['Retry-After', String(retryAfterSeconds), ...headers],
  });
}

/**
 * Returns true if the request was refused because the day or month quota is used up, but not the
 * minute quota.
 */
export function isMinuteOpen({ code, members }: Problem): boolean {
  const violated = members?.['violatedPolicies'];
  return code === 'quota-exceeded' && Array.isArray(violated) && !violated.includes('minute');
}

/** Refunds the day and month quota and returns the headers to send. */
export function refund(admitted: Admitted): readonly string[] {
  admitted.refund();
  return admitted.refundedHeaders?.() ?? admitted.headers;
}

export function withExtraHeaders(admitted: Admitted, extraHeaders: readonly string[]): Admitted {
  const { headers, refundedHeaders = () => headers } = admitted;
  return {
    ...admitted,
    headers: [...headers, ...extraHeaders],
    refundedHeaders: () => [...refundedHeaders(), ...extraHeaders],
  };
}
