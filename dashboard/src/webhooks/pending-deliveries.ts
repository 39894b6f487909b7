import type { Delivery } from '../api/calls.gen.ts';
import { LIVE_MS, useCall } from '../api/use-call.ts';

const PAGE = 100;

export interface PendingDeliveries {
  count: number;
  /** True if there are more pages. `count` is then a lower bound. */
  isMore: boolean;
  nextAt: string | null;
}

/**
 * Returns the pending and retrying deliveries by endpoint, taken from the first page of each of
 * these states.
 */
export function usePendingDeliveries(endpointId?: string): ReadonlyMap<string, PendingDeliveries> {
  const filter = { limit: PAGE, ...(endpointId === undefined ? {} : { endpointId }) };
  const live = { everyMs: LIVE_MS };
  const pending = useCall('deliveries-list', { query: { ...filter, state: 'pending' } }, live);
  const retrying = useCall('deliveries-list', { query: { ...filter, state: 'retrying' } }, live);
  const pages = [pending.data, retrying.data].filter((page) => page !== undefined);
  const isMore = pages.some(({ next }) => next !== null);
  const byEndpoint = Map.groupBy(
    pages.flatMap(({ deliveries }) => deliveries),
    (delivery) => delivery.endpointId,
  );
  return new Map([...byEndpoint].map(([id, deliveries]) => [id, countPending(deliveries, isMore)]));
}

function countPending(deliveries: readonly Delivery[], isMore: boolean): PendingDeliveries {
  const dueTimes = deliveries.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).toSorted();
  return { count: deliveries.length, isMore, nextAt: dueTimes[0] ?? null };
}
