import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../../storage/db.ts';
import type { Actor } from '../audit-log.ts';

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

/** What is asked of the audit; what is left out does not matter. */
export interface AuditQuestion {
  /** Null: the whole system. */
  customerId: string | null;
  /** The id of the person or key that did it. */
  by?: string | undefined;
  /** How the act begins: `key.`, or the whole. */
  act?: string | undefined;
  from?: Instant | undefined;
  /** Without it. */
  to?: Instant | undefined;
  /** The id of the last event seen. */
  before?: number | undefined;
  limit: number;
}

/** What was done, newest first; at most `limit` events. */
export async function listAudit(db: Queryable, asked: AuditQuestion): Promise<AuditEvent[]> {
  const params: SqlValue[] = [];
  const conditions = ['true'];
  function add(condition: (place: string) => string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  }
  add((place) => `customer_id = ${place}`, asked.customerId ?? undefined);
  add((place) => `actor_id = ${place}`, asked.by);
  add((place) => `starts_with(act, ${place})`, asked.act);
  add((place) => `at >= to_timestamp(${place} / 1000.0)`, asked.from);
  add((place) => `at < to_timestamp(${place} / 1000.0)`, asked.to);
  add((place) => `id < ${place}`, asked.before);
  params.push(asked.limit);
  // A page, backwards by the index on customer and id, that on actor and id, or the primary key.
  const rows = await db.query<AuditRow>(
    `select id, at, actor_kind, actor_id, actor_label, address, act, customer_id, subject, details
       from audit_event where ${conditions.join(' and ')}
      order by id desc limit $${params.length}`,
    params,
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
