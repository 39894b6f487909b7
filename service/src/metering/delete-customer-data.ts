import type { Transaction } from '../storage/db.ts';

/** Takes out all that is kept of a customer's requests, in the transaction that deletes it. */
export async function deleteCustomerData(tx: Transaction, customerId: string): Promise<void> {
  // Each returns nothing and is served by a key or index that begins with the customer.
  await tx.query('delete from quota_minute where customer_id = $1', [customerId]);
  await tx.query('delete from quota_use where customer_id = $1', [customerId]);
  await tx.query('delete from usage_hour where customer_id = $1', [customerId]);
  await tx.query('delete from request_log where customer_id = $1', [customerId]);
}
