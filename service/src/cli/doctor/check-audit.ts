import { verifyAuditChains } from '../../accounts/audit-chain.ts';
import type { Queryable } from '../../storage/db.ts';
import { broken, type Check, ok } from './check.ts';

/** The check reads this many events, so that it stays short. */
const EVENTS_MAX = 5_000;

/** Checks that none of the newest audit events was changed or deleted. */
export async function checkAudit(db: Queryable): Promise<Check> {
  // Returns one row, from the end of the primary key.
  const [row] = await db.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from audit_event',
  );
  const sinceId = Math.max(0, (row?.id ?? 0) - EVENTS_MAX);
  const { events, broken: found } = await verifyAuditChains(db, { sinceId });
  if (found === null) return ok('audit', `the newest ${events} audit events are intact`);
  return broken(
    'audit',
    `audit event ${found.eventId} ${found.reason}`,
    'somebody changed the database: compare the log (audit.recorded) and backups with it',
  );
}
