import type { Transaction } from '../storage/db.ts';

/** Deletes all metering data for a customer, in the same transaction that deletes the customer. */
export async function deleteCustomerData(tx: Transaction, customerId: string): Promise<void> {
  // Each statement uses a key or index that starts with the customer.
  await tx.query('delete from quota_minute where customer_id = $1', [customerId]);
  await tx.query('delete from quota_block where customer_id = $1', [customerId]);
  await tx.query('delete from quota_use where customer_id = $1', [customerId]);
  await tx.query('delete from usage_hour where customer_id = $1', [customerId]);
  await tx.query('delete from request_log where customer_id = $1', [customerId]);
}
