import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { cancelPending } from './endpoint-states.ts';
import { listEndpoints, markEndpointDeleted } from './webhook-endpoint.ts';
import { lockEndpoints } from './lock-endpoints.ts';

/** Deletes all endpoints of a deleted customer, so that nothing more is sent to them. */
export async function deleteEndpointsOf(
  tx: Transaction,
  customerId: string,
  now: Instant,
): Promise<void> {
  const endpoints = await listEndpoints(tx, customerId);
  // Removes subscriptions in endpoint order, like the transactions that record 2xx responses, to
  // avoid deadlocks.
  const ids = endpoints.map(({ id }) => id).toSorted();
  await lockEndpoints(tx, ids);
  for (const id of ids) {
    await cancelPending(tx, id, { now });
    await markEndpointDeleted(tx, id, now);
  }
}
