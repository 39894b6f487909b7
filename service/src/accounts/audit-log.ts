import type { Instant } from '../platform/instant.ts';
import type { Transaction } from '../storage/db.ts';

/** Who acts, and from where. `label` is what people read: an e-mail address, a key's ends. */
export interface Actor {
  kind: 'person' | 'key' | 'cli' | 'system';
  id: string | null;
  label: string;
  address: string | null;
}

export const COMMAND_LINE: Actor = {
  kind: 'cli',
  id: null,
  label: 'command line',
  address: null,
};

export const SERVICE: Actor = { kind: 'system', id: null, label: 'service', address: null };

export interface AuditEntry {
  by: Actor;
  at: Instant;
  /** `thing.verb`, as `key.revoke`. */
  act: string;
  /** The id of what was acted upon. */
  subject: string | null;
  /** Whose thing it is; null when it is no customer's. */
  customerId: string | null;
  /** Facts for people. Never a key, a password, a token or a secret. */
  details?: Readonly<Record<string, AuditValue>>;
}

export type AuditValue = string | number | boolean | null | readonly string[];

/**
 * Writes down an act in the transaction that does it: it is there exactly when the act happened.
 */
export async function recordAct(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { by, at, act, subject, customerId, details = {} } = entry;
  // Adds one row.
  await tx.query(
    `insert into audit_event
       (at, actor_kind, actor_id, actor_label, address, act, customer_id, subject, details)
     values (to_timestamp($1 / 1000.0), $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`,
    [at, by.kind, by.id, by.label, by.address, act, customerId, subject, JSON.stringify(details)],
  );
}
