import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../storage/db.ts';
import { sql, type Sql, statement } from '../storage/sql.ts';
import { type IdempotentCall, markTookEffect } from './idempotent-calls.ts';

/**
 * The person, key or process that performed an action. `label` is the displayed name: an email
 * address, or the first and last characters of a key.
 */
export interface Actor {
  kind: 'person' | 'key' | 'cli' | 'system';
  id: string | null;
  label: string;
  address: string | null;
  /** The call with an idempotency key by which the actor performs the action. */
  call?: IdempotentCall;
}

export const COMMAND_LINE: Actor = {
  kind: 'cli',
  id: null,
  label: 'command line',
  address: null,
};

export const SERVICE: Actor = { kind: 'system', id: null, label: 'service', address: null };

/** Lists every action in the audit log. The names are stored and public. */
export type AuditAction =
  | 'customer.create'
  | 'customer.delete'
  | 'customer.move'
  | 'customer.plan'
  | 'customer.rename'
  | 'customer.resume'
  | 'customer.suspend'
  | 'delivery.recover'
  | 'delivery.redeliver'
  | 'delivery.test'
  | 'ingest.backfill'
  | 'ingest.import'
  | 'ingest.reset-ahead'
  | 'ingest.run'
  | 'key.change'
  | 'key.create'
  | 'key.delete'
  | 'key.disable'
  | 'key.enable'
  | 'key.revoke'
  | 'key.roll'
  | 'market-override.add'
  | 'market-override.revoke'
  | 'person.change-password'
  | 'person.change-role'
  | 'person.create'
  | 'person.disable'
  | 'person.enable'
  | 'person.invite'
  | 'person.join'
  | 'person.remove'
  | 'person.reset-password'
  | 'person.withdraw'
  | 'plan.add'
  | 'plan.change'
  | 'plan.remove'
  | 'quarantine.accept'
  | 'quarantine.reject'
  | 'quotas.reset-ahead'
  | 'recovery-codes.renew'
  | 'sandbox.change'
  | 'second-factor.add'
  | 'second-factor.remove'
  | 'session.confirm'
  | 'session.end'
  | 'session.end-all'
  | 'session.start'
  | 'session.switch'
  | 'setup.begin'
  | 'store.backup'
  | 'store.new-epoch'
  | 'store.purge-audit'
  | 'watchlist.change'
  | 'watchlist.create'
  | 'watchlist.delete'
  | 'webhook.activate-secret'
  | 'webhook.change'
  | 'webhook.create'
  | 'webhook.delete'
  | 'webhook.disable'
  | 'webhook.enable'
  | 'webhook.prepare-secret'
  | 'webhook.reveal-secret'
  | 'webhook.subscribe'
  | 'webhook.unsubscribe'
  | 'webhook.withdraw-secret';

export interface NewAuditEvent {
  actor: Actor;
  at: Instant;
  action: AuditAction;
  /** Id of the affected object. */
  subject: string | null;
  /** Customer that owns the object; null if it belongs to the service. */
  customerId: string | null;
  /** Details for people to read. They never contain a key, password, token or secret. */
  details?: Readonly<Record<string, AuditValue>>;
}

export type AuditValue = string | number | boolean | null | readonly string[];

/** Adds an event in the transaction that performs the action, so both happen or neither does. */
export async function recordAuditEvent(tx: Transaction, entry: NewAuditEvent): Promise<void> {
  const { actor, at, action, subject, customerId, details = {} } = entry;
  const { kind, id, label, address } = actor;
  if (actor.call !== undefined) await markTookEffect(tx, actor.call);
  // Returns one row.
  const [event] = await tx.query<{ id: number }>(
    ...statement(sql`
    insert into audit_event
      (at, actor_kind, actor_id, actor_label, address, act, customer_id, subject, details)
    values (to_timestamp(${at} / 1000.0), ${kind}, ${id}, ${label}, ${address}, ${action},
            ${customerId}, ${subject}, ${JSON.stringify(details)}::jsonb)
    returning id`),
  );
  if (event === undefined) throw new Error('the audit event was not recorded');
  tx.note?.([
    {
      kind: 'action',
      id: event.id,
      at,
      action,
      actor: `${kind} ${label}`,
      address,
      subject,
      customerId,
    },
  ]);
}

export interface AuditEvent {
  /** Event ids increase over time. */
  id: number;
  at: Instant;
  actor: Actor;
  action: string;
  subject: string | null;
  customerId: string | null;
  details: Readonly<Record<string, unknown>>;
}

/** Filters for audit log events. An undefined filter matches every event. */
export interface AuditQuery {
  /** Null to search the whole system. */
  customerId: string | null;
  /** Id of the person or key that performed the action. */
  actorId?: string | undefined;
  /** A prefix such as `key.`, or the full name of an action. */
  actionPrefix?: string | undefined;
  from?: Instant | undefined;
  /** End of the period, exclusive. */
  to?: Instant | undefined;
  /** Id of the last event on the previous page. */
  beforeId?: number | undefined;
  limit: number;
}

/** Returns at most `limit` matching events, newest first. */
export async function listAuditEvents(db: Queryable, query: AuditQuery): Promise<AuditEvent[]> {
  const { customerId, actorId, actionPrefix, from, to, beforeId: before, limit } = query;
  const conditions: Sql[] = [
    customerId === null ? [] : sql` and customer_id = ${customerId}`,
    actorId === undefined ? [] : sql` and actor_id = ${actorId}`,
    actionPrefix === undefined ? [] : sql` and starts_with(act, ${actionPrefix})`,
    from === undefined ? [] : sql` and at >= to_timestamp(${from} / 1000.0)`,
    to === undefined ? [] : sql` and at < to_timestamp(${to} / 1000.0)`,
    before === undefined ? [] : sql` and id < ${before}`,
  ].flat();
  const filter = conditions.reduce((all, condition) => sql`${all}${condition}`, sql``);
  // Reads one page backwards from the index on customer or actor, or from the primary key. The SQL
  // contains only the given filters, so that each combination can use its best index.
  const rows = await db.query<AuditRow>(
    ...statement(sql`
    select id, at, actor_kind, actor_id, actor_label, address, act, customer_id, subject, details
      from audit_event where true${filter}
     order by id desc limit ${limit}`),
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, label: row.actor_label, address: row.address },
    action: row.act,
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
