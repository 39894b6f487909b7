import type { ReadLimits } from '../domain/plan.ts';
import {
  endOfQuotaDay,
  endOfQuotaMonth,
  quotaPeriodOf,
  type QuotaWindow,
} from '../domain/quota-window.ts';
import { noUse, readUse, useOf } from '../domain/quota-window-use.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import { loadUse } from './quota-store.ts';

/** Usage of a day or month quota. */
export interface QuotaUsage {
  window: Exclude<QuotaWindow, 'minute'>;
  limit: number;
  used: number;
  /** Midnight in New York at which the window resets. */
  resetAt: Instant;
}

/** Returns the plan's day and month quotas as the next request would find them. */
export async function loadQuotaUsage(
  db: Queryable,
  { customerId, plan, now }: { customerId: string; plan: ReadLimits; now: Instant },
): Promise<QuotaUsage[]> {
  const counted = await loadUse(db, customerId);
  const use = counted === null ? noUse() : useOf(counted);
  const reading = readUse(use, plan, { period: quotaPeriodOf(now), monotonicMs: 0 });
  const usages: QuotaUsage[] = [];
  if (plan.perDay !== null) {
    const resetAt = endOfQuotaDay(reading.dayId);
    usages.push({ window: 'day', limit: plan.perDay, used: reading.dayUsed, resetAt });
  }
  if (plan.perMonth !== null) {
    const resetAt = endOfQuotaMonth(reading.monthId);
    usages.push({ window: 'month', limit: plan.perMonth, used: reading.monthUsed, resetAt });
  }
  return usages;
}
