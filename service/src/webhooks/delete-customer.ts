import type { Actor } from '../accounts/audit-log.ts';
import { deleteCustomer } from '../accounts/customers/delete-customer.ts';
import type { AccountsDeps } from '../accounts/deps.ts';
import { deleteCustomerWatchlists } from '../accounts/watchlists/watchlist-store.ts';
import { deleteCustomerData } from '../metering/delete-customer-data.ts';
import { deleteEndpointsOf } from './endpoint/delete-endpoints-of.ts';

/**
 * Deletes a customer together with its webhook endpoints, watchlists, usage and request log, in
 * one transaction.
 */
export function deleteCustomerWithData(deps: AccountsDeps, customerId: string, actor: Actor) {
  return deleteCustomer(deps, customerId, actor, async (tx, id, at) => {
    await deleteEndpointsOf(tx, id, at);
    await deleteCustomerWatchlists(tx, id);
    await deleteCustomerData(tx, id);
  });
}
