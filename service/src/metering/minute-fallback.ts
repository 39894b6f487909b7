import type { ReadLimits } from '../domain/plan.ts';
import { limitHeaders } from '../domain/quota-window-headers.ts';
import {
  countRequest,
  type CustomerUse,
  fullWindows,
  type Moment,
  noUse,
  readUse,
} from '../domain/quota-window-use.ts';
import { type MeterRequest, type MeterResult, refuse } from './quota-meter.ts';

/** The minute windows of customers without quotas, as seen by this process, while the store is away. */
export class MinuteFallback {
  readonly #uses = new Map<string, CustomerUse>();

  /** Counts a request that the store admitted. */
  add(customerId: string, plan: ReadLimits, monotonicMs: number): void {
    const { minute } = this.#useOf(customerId);
    // `used` drops requests older than a minute.
    if (minute.used(monotonicMs) < plan.perMinute) minute.add(monotonicMs);
  }

  /** Decides without the store. */
  take({ customerId, plan, cost, now }: MeterRequest, moment: Moment): MeterResult {
    const use = this.#useOf(customerId);
    const headerMoment = { now, period: moment.period };
    const reading = readUse(use, plan, moment);
    const violated = fullWindows(reading, plan, cost);
    if (violated.length > 0) return refuse({ plan, violated, reading, moment: headerMoment });
    countRequest(use, reading, { plan, cost: 'minute', monotonicMs: moment.monotonicMs });
    const headers = limitHeaders(plan, reading, headerMoment);
    return { kind: 'admitted', headers, refund: () => undefined };
  }

  #useOf(customerId: string): CustomerUse {
    let use = this.#uses.get(customerId);
    if (use === undefined) this.#uses.set(customerId, (use = noUse()));
    return use;
  }
}
