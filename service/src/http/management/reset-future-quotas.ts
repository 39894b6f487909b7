import { type Actor, recordAct } from '../../accounts/audit-log.ts';
import { quotaPeriodOf } from '../../domain/quota-window.ts';
import { resetUsesAhead } from '../../metering/quota-store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Db } from '../../storage/db.ts';

/** Puts customers who were counted in a time to come back to now, and writes down who did it. */
export function resetFutureQuotas(db: Db, by: Actor, now: Instant): Promise<number> {
  return db.transaction(async (tx) => {
    const customers = await resetUsesAhead(tx, quotaPeriodOf(now));
    await recordAct(tx, {
      by,
      at: now,
      act: 'quotas.reset-ahead',
      subject: null,
      customerId: null,
      details: { customers },
    });
    return customers;
  });
}
