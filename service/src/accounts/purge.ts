import { formatInstant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import { recordAuditEvent, SERVICE } from './audit-log.ts';
import type { AccountsDeps } from './deps.ts';

const DAY_MS = 86_400_000;
/** Time for which a deleted key is kept, so that its requests in the log keep its name. */
export const DELETED_KEY_DAYS = 90;
const BATCH_ROWS = 1_000;

/**
 * Deletes the next batch of keys that were deleted long ago, and of audit events that are older
 * than `auditDays`. Returns the number of deleted rows. Must be called again until it returns 0.
 * The newest of the old events of each customer stays, so that the rest of its chain can be checked.
 */
export async function purgeAccounts(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  { auditDays }: { auditDays: number | null },
): Promise<number> {
  const now = clock.now();
  const keys = await purgeDeletedKeys(db, now - DELETED_KEY_DAYS * DAY_MS);
  if (auditDays === null) return keys;
  const before = now - auditDays * DAY_MS;
  return db.transaction(async (tx) => {
    // Returns one row per deleted event. Old events are at the start of the primary key, and the index
    // on the chain finds the next event of each.
    const events = await tx.query(
      `delete from audit_event where id in (
         select id from audit_event e
          where e.at < to_timestamp($1 / 1000.0) and e.chain_no is not null
            and exists (select 1 from audit_event n
                         where coalesce(n.customer_id, '') = coalesce(e.customer_id, '')
                           and n.chain_no = e.chain_no + 1 and n.at < to_timestamp($1 / 1000.0))
          order by id limit ${BATCH_ROWS})
       returning id`,
      [before],
    );
    if (events.length === 0) return keys;
    await recordAuditEvent(tx, {
      actor: SERVICE,
      at: now,
      action: 'store.purge-audit',
      subject: null,
      customerId: null,
      details: { before: formatInstant(before), events: events.length },
    });
    return keys + events.length;
  });
}

async function purgeDeletedKeys(db: Queryable, before: number): Promise<number> {
  // Returns one row per deleted key, by the index on deleted keys.
  const rows = await db.query(
    `delete from api_key where id in (
       select id from api_key where deleted_at < to_timestamp($1 / 1000.0)
        order by deleted_at limit ${BATCH_ROWS})
     returning id`,
    [before],
  );
  return rows.length;
}
