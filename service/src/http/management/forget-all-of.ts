import { deleteEndpointsOf } from '../../webhooks/endpoint/delete-endpoints-of.ts';
import { forgetCustomer } from '../../metering/delete-customer-data.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';

/** What other parts of the service keep for a customer ends in the transaction that deletes it. */
export async function forgetAllOf(tx: Transaction, customerId: string, at: Instant): Promise<void> {
  await deleteEndpointsOf(tx, customerId, at);
  await forgetCustomer(tx, customerId);
}
