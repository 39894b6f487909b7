import type { CustomerUsage } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { startOfStep } from '../format/new-york.ts';
import { useNow } from '../ui/values/use-now.ts';

const DAY_MS = 86_400_000;
const TOP_MAX = 100;

export interface DayRequests {
  /**
   * Returns a customer's counts, or null if they are unknown because the call returns only the
   * busiest customers.
   */
  forCustomer: (customerId: string) => Pick<CustomerUsage, 'requests' | 'failed'> | null;
  /** The highest request count of any customer. */
  top: number;
}

/** Returns the requests from the last 24 hours by customer. */
export function useDayRequests(): DayRequests {
  const now = useNow();
  const from = new Date(startOfStep(now, 'hour') - DAY_MS + 3_600_000).toISOString();
  const { data } = useCall(
    'system-usage-top-customers',
    { query: { from, limit: TOP_MAX } },
    { everyMs: CALM_MS, keepsPrevious: true },
  );
  const busy = new Map(data?.customers.map((usage) => [usage.customerId, usage]));
  const isComplete = data !== undefined && busy.size < TOP_MAX;
  return {
    forCustomer: (id) => busy.get(id) ?? (isComplete ? { requests: 0, failed: 0 } : null),
    top: data?.customers[0]?.requests ?? 0,
  };
}
