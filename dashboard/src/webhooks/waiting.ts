import type { Delivery } from '../api/calls.gen.ts';
import { LIVE_MS, useCall } from '../api/use-call.ts';

const PAGE = 100;

export interface Waiting {
  count: number;
  /** True if there are more pages, so that `count` is a lower bound. */
  isMore: boolean;
  nextAt: string | null;
}

/** Pending and retrying deliveries by endpoint, from the first page of each. */
export function useWaiting(endpointId?: string): ReadonlyMap<string, Waiting> {
  const of = { limit: PAGE, ...(endpointId === undefined ? {} : { endpointId }) };
  const live = { everyMs: LIVE_MS };
  const pending = useCall('deliveries-list', { query: { ...of, state: 'pending' } }, live);
  const retrying = useCall('deliveries-list', { query: { ...of, state: 'retrying' } }, live);
  const pages = [pending.data, retrying.data].filter((page) => page !== undefined);
  const isMore = pages.some(({ next }) => next !== null);
  const byEndpoint = Map.groupBy(
    pages.flatMap(({ deliveries }) => deliveries),
    (delivery) => delivery.endpointId,
  );
  return new Map([...byEndpoint].map(([id, own]) => [id, waitingOf(own, isMore)]));
}

function waitingOf(deliveries: readonly Delivery[], isMore: boolean): Waiting {
  const dues = deliveries.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).toSorted();
  return { count: deliveries.length, isMore, nextAt: dues[0] ?? null };
}
