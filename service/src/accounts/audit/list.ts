import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { Actor } from './record.ts';

export interface AuditEvent {
  /** Counts up. */
  id: number;
  at: Instant;
  by: Actor;
  act: string;
  subject: string | null;
  customerId: string | null;
  details: Readonly<Record<string, unknown>>;
}

/**
 * What was done, newest first: of one customer, or of the whole system with `customerId: null`.
 * `before` is the id of the last event seen; at most `limit` events.
 */
export async function listAudit(
  db: Queryable,
  options: { customerId: string | null; before?: number; limit: number },
): Promise<AuditEvent[]> {
  const { customerId, before = Number.MAX_SAFE_INTEGER, limit } = options;
  // The newest events below an id, by the index on customer and id, or by the primary key.
  const rows = await db.query<AuditRow>(
    `select id, at, actor_kind, actor_id, actor_label, address, act, customer_id, subject, details
       from audit_event
      where id < $1 ${customerId === null ? '' : 'and customer_id = $3'}
      order by id desc limit $2`,
    customerId === null ? [before, limit] : [before, limit, customerId],
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    by: { kind: row.actor_kind, id: row.actor_id, label: row.actor_label, address: row.address },
    act: row.act,
    subject: row.subject,
    customerId: row.customer_id,
    details: row.details,
  }));
}

interface AuditRow extends Row {
  id: number;
  at: Instant;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_label: string;
  address: string | null;
  act: string;
  customer_id: string | null;
  subject: string | null;
  details: Record<string, unknown>;
}
