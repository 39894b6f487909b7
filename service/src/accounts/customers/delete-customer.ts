import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, notFound, type NotFound } from '../deps.ts';
import { lockKeys, revokeCustomerKeys } from '../keys/key-store.ts';
import { deleteCustomerPeople } from '../people/person-store.ts';
import { markCustomerDeleted } from './customer-store.ts';

/**
 * Ends a customer for good: its keys are revoked, its people can sign in no more and their addresses
 * are free again, its name too. The row stays, since usage and audit speak of it. `alongside` ends, in
 * the same transaction, what other parts of the service keep for it.
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
    // A key that is rolled at this moment has its successor before, or none.
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
