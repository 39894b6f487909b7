import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { cancelPending } from './endpoint-states.ts';
import { listEndpoints, markEndpointDeleted } from './webhook-endpoint.ts';
import { lockEndpoints } from './lock-endpoints.ts';

/** Takes out all endpoints of a customer who is gone: nothing is sent for them any more. */
export async function deleteEndpointsOf(
  tx: Transaction,
  customerId: string,
  now: Instant,
): Promise<void> {
  const endpoints = await listEndpoints(tx, customerId);
  // In the order in which what is answered 2xx is written down.
  const ids = endpoints.map(({ id }) => id).toSorted();
  await lockEndpoints(tx, ids);
  for (const id of ids) {
    await cancelPending(tx, id, { now });
    await markEndpointDeleted(tx, id, now);
  }
}
