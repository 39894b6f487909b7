import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { ApiKey } from './api-key.ts';

/** Keys and customers in the store. */

export interface Customer {
  id: string;
  name: string;
  plan: string;
}

const KEY_COLUMNS = `
  api_key.id, customer_id, customer.name as customer_name, plan, encode(hash, 'hex') as hash,
  prefix, last4, api_key.created_at, expires_at, disabled_at, revoked_at, suspended_at`;

/** Every key, revoked ones included, oldest first. */
export async function loadKeys(db: Queryable): Promise<ApiKey[]> {
  // Returns all keys with their customers: one scan of both tables, run at start and on change.
  const rows = await db.query<KeyRow>(`
    select ${KEY_COLUMNS}
    from api_key join customer on customer.id = customer_id
    order by api_key.created_at, api_key.id`);
  return rows.map(toApiKey);
}

/** Counts up with every change of a key or a customer. */
export async function loadKeyRingVersion(db: Queryable): Promise<number> {
  // Returns the one row there is: no index needed.
  const rows = await db.query<{ version: number }>('select version from key_ring_version');
  return rows[0]?.version ?? 0;
}

export async function findCustomer(db: Queryable, name: string): Promise<Customer | null> {
  // Returns at most one row, by the unique index on name.
  const rows = await db.query<Customer & Row>(
    'select id, name, plan from customer where name = $1',
    [name],
  );
  return rows[0] ?? null;
}

export async function insertCustomer(
  db: Queryable,
  customer: Customer & { createdAt: Instant },
): Promise<void> {
  // Returns nothing; the unique index on name refuses a second customer of that name.
  await db.query(
    `insert into customer (id, name, plan, created_at)
     values ($1, $2, $3, to_timestamp($4 / 1000.0))`,
    [customer.id, customer.name, customer.plan, customer.createdAt],
  );
}

export async function insertKey(
  db: Queryable,
  key: Pick<ApiKey, 'id' | 'customerId' | 'hash' | 'prefix' | 'last4' | 'createdAt' | 'expiresAt'>,
): Promise<void> {
  // Returns nothing.
  await db.query(
    `insert into api_key (id, customer_id, hash, prefix, last4, created_at, expires_at)
     values ($1, $2, decode($3, 'hex'), $4, $5, to_timestamp($6 / 1000.0),
             to_timestamp($7 / 1000.0))`,
    [key.id, key.customerId, key.hash, key.prefix, key.last4, key.createdAt, key.expiresAt],
  );
}

/** Whether this call revoked it: false when there is no such key or it was revoked before. */
export async function revokeKey(db: Queryable, id: string, at: Instant): Promise<boolean> {
  // Returns the id when the key was not revoked yet, by the primary key.
  const rows = await db.query(
    `update api_key set revoked_at = to_timestamp($2 / 1000.0)
     where id = $1 and revoked_at is null
     returning id`,
    [id, at],
  );
  return rows.length === 1;
}

interface KeyRow extends Row {
  id: string;
  customer_id: string;
  customer_name: string;
  plan: string;
  hash: string;
  prefix: string;
  last4: string;
  created_at: Instant;
  expires_at: Instant | null;
  disabled_at: Instant | null;
  revoked_at: Instant | null;
  suspended_at: Instant | null;
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    customerId: row.customer_id,
    customerName: row.customer_name,
    plan: row.plan,
    hash: row.hash,
    prefix: row.prefix,
    last4: row.last4,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    disabledAt: row.disabled_at,
    revokedAt: row.revoked_at,
    suspendedAt: row.suspended_at,
  };
}
