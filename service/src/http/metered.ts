import type { Meter, Refused, Taken } from '../metering/quota-meter.ts';
import { formatInstant } from '../platform/instant.ts';
import type { QuotaDecision, CheckQuota } from './quota.ts';
import { problem } from './problems.ts';

/** Lets in by a meter: what it says becomes headers of the answer, or a refusal. */
export function quotaCheck(meter: Meter): CheckQuota {
  return ({ key, cost, now }) => {
    const taken = meter.take({ customerId: key.customerId, plan: key.plan, cost, now });
    return taken instanceof Promise ? taken.then(admissionOf) : admissionOf(taken);
  };
}

function admissionOf(taken: Taken): QuotaDecision {
  switch (taken.kind) {
    case 'admitted':
      return taken;
    case 'refused':
      return refused(taken);
    case 'unavailable': {
      const detail =
        'Requests of this plan are counted before they are answered, and cannot be now.';
      const headers = ['Retry-After', String(taken.retryAfterSeconds)];
      return {
        kind: 'refused',
        refusal: problem('temporary-reduced-capacity', detail, { headers }),
      };
    }
  }
}

function refused(taken: Refused): QuotaDecision {
  const { code, violated, window, limit, resetAt, retryAfterSeconds, headers } = taken;
  const detail =
    `The limit of ${limit} requests a ${window} is reached; ` +
    `it opens again in ${retryAfterSeconds} s.`;
  const members = {
    violatedPolicies: violated,
    limit,
    resetAt: formatInstant(resetAt),
    retryable: true,
  };
  return {
    kind: 'refused',
    refusal: problem(code, detail, {
      members,
      headers: ['Retry-After', String(retryAfterSeconds), ...headers],
    }),
  };
}
