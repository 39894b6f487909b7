import type { Plan } from '../domain/plan.ts';
import type { QuotaPeriod, QuotaWindow } from '../domain/quota-window.ts';
import { limitHeaders, longestWait } from '../domain/quota-window-headers.ts';
import type { UseReading } from '../domain/quota-window-use.ts';
import type { Instant } from '../platform/instant.ts';
import type { Refused } from './quota-meter.ts';

/** A refusal of these full windows, at least one. */
export function refusal(facts: {
  plan: Plan;
  violated: readonly QuotaWindow[];
  reading: UseReading;
  moment: { now: Instant; period: QuotaPeriod };
}): Refused {
  const { plan, violated, reading, moment } = facts;
  const isMinuteAlone = violated.length === 1 && violated[0] === 'minute';
  return {
    kind: 'refused',
    code: isMinuteAlone ? 'rate-limited' : 'quota-exceeded',
    violated,
    ...longestWait(plan, violated, reading, moment),
    headers: limitHeaders(plan, reading, moment),
  };
}
