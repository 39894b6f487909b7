import type { ReadLimits } from '../../domain/plan.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { PLAN_COLUMNS, type PlanRow, toPlan } from '../plans/plan-store.ts';
import { createdAs, type Creation, type Creator } from '../creator.ts';
import type { ApiKey, KeyScope } from './api-key.ts';

/** A key with the fields that only its owner and operators can see. */
export interface KeyRecord extends ApiKey {
  /** Rounded down to the minute; null if the key was never used. */
  lastUsedAt: Instant | null;
  /** Id of the key that replaced this one. */
  rolledTo: string | null;
  /** Null for keys older than the record of creators. */
  createdBy: Creator | null;
}

/** Columns that the API key cache loads. */
export const KEY_COLUMNS = `
  api_key.id, api_key.customer_id, customer.name as customer_name, api_key.name, scopes,
  allowed_cidrs, encode(hash, 'hex') as hash, prefix, last4, api_key.created_at,
  api_key.expires_at, disabled_at, revoked_at, suspended_at, move_state,
  moved_to, moved_to_url, ${PLAN_COLUMNS}`;

/** Tables that `KEY_COLUMNS` refers to. */
export const KEY_TABLES = `
  api_key join customer on customer.id = api_key.customer_id
          join plan on plan.name = customer.plan`;

const RECORD = `
  select ${KEY_COLUMNS}, last_used_at, rolled_to, created_by
    from ${KEY_TABLES} left join api_key_use on api_key_use.key_id = api_key.id
   where api_key.deleted_at is null`;

/**
 * Serializes key changes until the transaction ends. Every key change updates this counter anyway,
 * so locking it before the key rows avoids deadlocks.
 */
export async function lockKeys(tx: Transaction): Promise<void> {
  // The table has a single row.
  await tx.query('select version from key_ring_version for update');
}

/**
 * Lists the keys that are not deleted, newest first, for one customer or, with `customerId: null`,
 * for all customers. `after` is the last key on the previous page. `ended` selects either the keys
 * that were revoked or had expired at an instant, or all others; undefined selects both.
 */
export async function listKeys(
  db: Queryable,
  options: {
    customerId: string | null;
    after?: Pick<ApiKey, 'createdAt' | 'id'>;
    ended?: { is: boolean; now: Instant };
    limit: number;
  },
): Promise<KeyRecord[]> {
  const { customerId, after, ended, limit } = options;
  // Uses the index on the customer. For all customers, scans and sorts the table; only the command
  // line does this.
  const rows = await db.query<RecordRow>(
    `${RECORD} and ($1::text is null or api_key.customer_id = $1)
       and ($2::float8 is null
            or (api_key.created_at, api_key.id) < (to_timestamp($2 / 1000.0), $3::text))
       and ($4::boolean is null
            or (revoked_at is not null
                or coalesce(api_key.expires_at <= to_timestamp($5 / 1000.0), false)) = $4)
     order by api_key.created_at desc, api_key.id desc limit $6`,
    [
      customerId,
      after?.createdAt ?? null,
      after?.id ?? null,
      ended?.is ?? null,
      ended?.now ?? null,
      limit,
    ],
  );
  return rows.map(toRecord);
}

/** Returns null if the key does not exist or belongs to another customer. */
export async function findKey(
  db: Queryable,
  customerId: string,
  id: string,
): Promise<KeyRecord | null> {
  const rows = await db.query<RecordRow>(
    `${RECORD} and api_key.id = $1 and api_key.customer_id = $2`,
    [id, customerId],
  );
  return rows[0] === undefined ? null : toRecord(rows[0]);
}

/**
 * Checks whether the customer has or had this key. Deleted keys are included, because their
 * requests stay in the log.
 */
export async function belongedToCustomer(
  db: Queryable,
  { customerId, keyId }: { customerId: string; keyId: string },
): Promise<boolean> {
  const rows = await db.query('select 1 from api_key where id = $1 and customer_id = $2', [
    keyId,
    customerId,
  ]);
  return rows.length > 0;
}

/** Finds at most ten keys of any customer by id or displayed prefix, for operators. */
export async function findKeysByIdOrPrefix(db: Queryable, name: string): Promise<KeyRecord[]> {
  // Finds ids by primary key, and prefixes by scanning the table; only operators do this.
  const rows = await db.query<RecordRow>(
    `${RECORD} and (api_key.id = $1 or prefix = $1) order by api_key.created_at limit 10`,
    [name],
  );
  return rows.map(toRecord);
}

/**
 * Lists the usable keys for which a member of a customer is responsible, oldest first. For an operator,
 * those of all customers of which they are not also a member.
 */
export async function listKeysOfPerson(
  db: Queryable,
  { personId, customerId }: { personId: string; customerId: string | null },
  now: Instant,
): Promise<KeyRecord[]> {
  // Uses the index on the creator.
  const rows = await db.query<RecordRow>(
    `${RECORD} and ${createdAs('api_key')} and revoked_at is null
       and (api_key.expires_at is null or api_key.expires_at > to_timestamp($3 / 1000.0))
     order by api_key.created_at, api_key.id`,
    [personId, customerId, now],
  );
  return rows.map(toRecord);
}

/** Counts the customer's keys that are neither revoked nor expired. */
export async function countKeys(db: Queryable, customerId: string, now: Instant): Promise<number> {
  // Uses the index on the customer.
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from api_key
      where customer_id = $1 and revoked_at is null
        and (expires_at is null or expires_at > to_timestamp($2 / 1000.0))`,
    [customerId, now],
  );
  return rows[0]?.count ?? 0;
}

export async function insertKey(
  db: Queryable,
  key: Omit<
    ApiKey,
    | 'customerName'
    | 'plan'
    | 'disabledAt'
    | 'revokedAt'
    | 'suspendedAt'
    | 'move'
    | 'prefix'
    | 'last4'
  > &
    Creation & { prefix: string; last4: string },
): Promise<void> {
  const { id, customerId, name, scopes, allowedCidrs, hash, prefix, last4 } = key;
  const { createdAt, expiresAt, createdBy, createdByPerson } = key;
  await db.query(
    ...statement(sql`
    insert into api_key (id, customer_id, name, scopes, allowed_cidrs, hash, prefix, last4,
                         created_at, expires_at, created_by, created_by_person)
    values (${id}, ${customerId}, ${name}, ${scopes}::text[], ${allowedCidrs}::text[],
            decode(${hash}, 'hex'), ${prefix}, ${last4}, to_timestamp(${createdAt} / 1000.0),
            to_timestamp(${expiresAt} / 1000.0), ${JSON.stringify(createdBy)}::jsonb,
            ${createdByPerson})`),
  );
}

/** Updates the given fields of a key. */
export async function updateKey(
  db: Queryable,
  id: string,
  change: Partial<Pick<ApiKey, 'name' | 'scopes' | 'allowedCidrs' | 'expiresAt' | 'disabledAt'>>,
): Promise<void> {
  const { name = null, scopes = null, allowedCidrs, expiresAt, disabledAt } = change;
  // Undefined fields keep their value; null sets a nullable column to null.
  await db.query(
    ...statement(sql`
    update api_key
       set name = coalesce(${name}, name), scopes = coalesce(${scopes}::text[], scopes),
           allowed_cidrs = case when ${allowedCidrs !== undefined} then ${allowedCidrs ?? null}::text[]
                                else allowed_cidrs end,
           expires_at = case when ${expiresAt !== undefined}
                             then to_timestamp(${expiresAt ?? null} / 1000.0) else expires_at end,
           disabled_at = case when ${disabledAt !== undefined}
                              then to_timestamp(${disabledAt ?? null} / 1000.0) else disabled_at end
     where id = ${id}`),
  );
}

/**
 * Records the successor of a key. Returns false if the key already has a successor or is revoked.
 */
export async function markRolled(
  db: Queryable,
  id: string,
  successor: { id: string; expiresAt: Instant },
): Promise<boolean> {
  // Returns the id if the row was updated. The expiry never moves to a later time.
  const rows = await db.query(
    `update api_key
        set rolled_to = $2, expires_at = least(expires_at, to_timestamp($3 / 1000.0))
      where id = $1 and rolled_to is null and revoked_at is null
      returning id`,
    [id, successor.id, successor.expiresAt],
  );
  return rows.length === 1;
}

/**
 * Returns true if this call revoked the key, or false if the key does not exist or was already
 * revoked.
 */
export async function markRevoked(db: Queryable, id: string, revokedAt: Instant): Promise<boolean> {
  // Returns the id if the row was updated.
  const rows = await db.query(
    `update api_key set revoked_at = to_timestamp($2 / 1000.0)
      where id = $1 and revoked_at is null
      returning id`,
    [id, revokedAt],
  );
  return rows.length === 1;
}

/** Revokes a key and hides it from lists. */
export async function markKeyDeleted(db: Queryable, id: string, deletedAt: Instant): Promise<void> {
  await db.query(
    `update api_key
        set deleted_at = to_timestamp($2 / 1000.0),
            revoked_at = coalesce(revoked_at, to_timestamp($2 / 1000.0))
      where id = $1`,
    [id, deletedAt],
  );
}

/** Revokes all of a customer's keys and returns how many there were. */
export async function revokeCustomerKeys(
  db: Queryable,
  customerId: string,
  revokedAt: Instant,
): Promise<number> {
  // Uses the index on the customer.
  const rows = await db.query(
    `update api_key set revoked_at = to_timestamp($2 / 1000.0)
      where customer_id = $1 and revoked_at is null
      returning id`,
    [customerId, revokedAt],
  );
  return rows.length;
}

export interface KeyRow extends PlanRow, Row {
  id: string;
  customer_id: string;
  customer_name: string;
  name: string;
  scopes: KeyScope[];
  allowed_cidrs: string[] | null;
  hash: string;
  prefix: string;
  last4: string;
  created_at: Instant;
  expires_at: Instant | null;
  disabled_at: Instant | null;
  revoked_at: Instant | null;
  suspended_at: Instant | null;
  move_state: 'leaving' | 'closing' | 'moved' | 'arriving' | null;
  moved_to: string | null;
  moved_to_url: string | null;
}

interface RecordRow extends KeyRow {
  last_used_at: Instant | null;
  rolled_to: string | null;
  created_by: Creator | null;
}

/** Converts a row to a key. Pass `planOf` to share one plan object between keys. */
export function toApiKey(row: KeyRow, planOf: (row: PlanRow) => ReadLimits = toPlan): ApiKey {
  return {
    id: row.id,
    customerId: row.customer_id,
    customerName: row.customer_name,
    plan: planOf(row),
    name: row.name,
    scopes: row.scopes,
    allowedCidrs: row.allowed_cidrs,
    hash: row.hash,
    prefix: row.prefix,
    last4: row.last4,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    disabledAt: row.disabled_at,
    revokedAt: row.revoked_at,
    suspendedAt: row.suspended_at,
    move: toMove(row),
  };
}

/** While a customer is leaving, its keys work. */
function toMove({ move_state: state, moved_to: cell, moved_to_url: url }: KeyRow): ApiKey['move'] {
  if (state === null || state === 'leaving') return null;
  return { hasMoved: state === 'moved', cell, url };
}

function toRecord(row: RecordRow): KeyRecord {
  const { last_used_at: lastUsedAt, rolled_to: rolledTo, created_by: createdBy } = row;
  return { ...toApiKey(row), lastUsedAt, rolledTo, createdBy };
}
