import { type Actor, recordAuditEvent } from '../../accounts/audit-log.ts';
import { quotaPeriodOf } from '../../domain/quota-window.ts';
import { resetFutureUses } from '../../metering/quota-store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Db } from '../../storage/db.ts';

/**
 * Resets the usage of customers whose usage was counted in a future period to the current period,
 * and records the change in the audit log. Returns the number of affected customers.
 */
export function resetFutureQuotas(db: Db, actor: Actor, now: Instant): Promise<number> {
  return db.transaction(async (tx) => {
    const customers = await resetFutureUses(tx, quotaPeriodOf(now));
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'quotas.reset-ahead',
      subject: null,
      customerId: null,
      details: { customers },
    });
    return customers;
  });
}
