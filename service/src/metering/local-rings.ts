import type { Plan } from '../domain/plan.ts';
import type { QuotaPeriod } from '../domain/quota-window.ts';
import { limitHeaders } from '../domain/quota-window-headers.ts';
import {
  countRequest,
  type CustomerUse,
  fullWindows,
  noUse,
  readUse,
} from '../domain/quota-window-use.ts';
import type { TakeRequest, Taken } from './quota-meter.ts';
import { refusal } from './refusal.ts';

/** The minutes of customers without other quotas, as far as this process saw them. */
export interface LocalRings {
  /** Notes an admission that the store decided. */
  add(customerId: string, plan: Plan, monotonicMs: number): void;
  /** Decides by this process's own knowledge. */
  take(request: TakeRequest, at: { period: QuotaPeriod; monotonicMs: number }): Taken;
}

export function localRings(): LocalRings {
  const uses = new Map<string, CustomerUse>();

  function useOf(customerId: string): CustomerUse {
    let use = uses.get(customerId);
    if (use === undefined) uses.set(customerId, (use = noUse()));
    return use;
  }

  return {
    add(customerId, plan, monotonicMs) {
      const { minute } = useOf(customerId);
      // Looked at first, which lets go of what is older than a minute.
      if (minute.used(monotonicMs) < plan.perMinute) minute.add(monotonicMs);
    },
    take({ customerId, plan, cost, now }, { period, monotonicMs }) {
      const use = useOf(customerId);
      const moment = { now, period };
      const reading = readUse(use, plan, { period, monotonicMs });
      const violated = fullWindows(reading, plan, cost);
      if (violated.length > 0) return refusal({ plan, violated, reading, moment });
      countRequest(use, reading, { plan, cost: 'minute', monotonicMs });
      const headers = limitHeaders(plan, reading, moment);
      return { kind: 'admitted', headers, refund: () => undefined };
    },
  };
}
