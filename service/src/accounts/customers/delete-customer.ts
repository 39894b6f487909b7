import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, notFound, type NotFound } from '../deps.ts';
import { lockKeys, revokeCustomerKeys } from '../keys/key-store.ts';
import { deleteCustomerPeople } from '../people/membership-store.ts';
import { markCustomerDeleted } from './customer-store.ts';

/**
 * Deletes a customer permanently: revokes its keys, removes its people, and frees its name. The row stays because usage and the audit log refer to it. `alongside`
 * deletes data owned by other parts of the service in the same transaction.
 */
export function deleteCustomer(
  deps: AccountsDeps,
  customerId: string,
  actor: Actor,
  alongside?: (tx: Transaction, customerId: string, at: Instant) => Promise<void>,
): Promise<{ kind: 'deleted'; keysRevoked: number } | NotFound> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    if (!(await markCustomerDeleted(tx, customerId, at))) return notFound;
    // Waits for a concurrent roll: either it has already created its new key, or it will fail.
    await lockKeys(tx);
    const keysRevoked = await revokeCustomerKeys(tx, customerId, at);
    await deleteCustomerPeople(tx, customerId);
    await alongside?.(tx, customerId, at);
    await recordAuditEvent(tx, {
      actor,
      at,
      action: 'customer.delete',
      subject: customerId,
      customerId,
      details: { keysRevoked },
    });
    return { kind: 'deleted', keysRevoked };
  });
}
