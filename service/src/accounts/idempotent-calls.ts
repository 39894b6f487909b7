import type { SecretCipher } from '../platform/encryption.ts';
import type { Instant } from '../platform/instant.ts';
import type { Random } from '../platform/random.ts';
import type { Db, Queryable, Row, Transaction } from '../storage/db.ts';
import { encryptSecret } from './encrypted-secrets.ts';
import { generateToken } from './token.ts';

/** Time for which a call with the same key returns the same response. */
const KEPT_MS = 24 * 3_600_000;
/** A call that has not ended after this time was interrupted. */
const LEASE_MS = 60_000;
/** Maximum number of keys of one caller in a day. */
const KEYS_MAX = 10_000;

/** A request that runs a call with an idempotency key. */
export interface IdempotentCall {
  /** ID of the API key or person. */
  caller: string;
  key: string;
  /** Differs for each request that runs the call. */
  token: string;
}

export type BegunCall =
  /** The caller must run the call, and then finish or release it. */
  | { kind: 'begun'; call: IdempotentCall }
  | { kind: 'finished'; response: string }
  /** Another request with this key is still running. */
  | { kind: 'running' }
  /** The call took effect, but its response was lost. */
  | { kind: 'interrupted' }
  /** The key was used for another call. */
  | { kind: 'other-call' }
  | { kind: 'too-many' };

interface IdempotencyDeps {
  db: Db;
  random: Random;
  cipher: SecretCipher;
}

/** Reserves a key for a call, unless an earlier request has used it. */
export async function beginCall(
  { db, random, cipher }: IdempotencyDeps,
  request: { caller: string; key: string; fingerprint: string; now: Instant },
): Promise<BegunCall> {
  const { caller, key, fingerprint, now } = request;
  const call: IdempotentCall = { caller, key, token: generateToken(random) };
  return db.transaction(async (tx): Promise<BegunCall> => {
    // Waits for a concurrent transaction that inserts or updates the same key.
    const stored = await loadCall(tx, { caller, key });
    if (stored === null) {
      if ((await countCalls(tx, caller)) >= KEYS_MAX) return { kind: 'too-many' };
      const isInserted = await insertCall(tx, call, { fingerprint, now });
      return isInserted ? { kind: 'begun', call } : { kind: 'running' };
    }
    if (stored.createdAt > now - KEPT_MS) {
      if (stored.fingerprint !== fingerprint) return { kind: 'other-call' };
      if (stored.response !== null) {
        return { kind: 'finished', response: cipher.decrypt(stored.response, contextOf(call)) };
      }
      if (stored.leaseUntil > now) return { kind: 'running' };
      if (stored.tookEffect) return { kind: 'interrupted' };
    }
    await tx.query(
      `update idempotent_call
          set fingerprint = $3, token = $4, created_at = to_timestamp($5 / 1000.0),
              lease_until = to_timestamp($6 / 1000.0), took_effect = false, response = null
        where caller = $1 and key = $2`,
      [caller, key, fingerprint, call.token, now, now + LEASE_MS],
    );
    return { kind: 'begun', call };
  });
}

/** Returns the number of keys that a caller holds, at most `KEYS_MAX`. */
async function countCalls(tx: Transaction, caller: string): Promise<number> {
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(
    `select count(*) as count from (select 1 from idempotent_call where caller = $1
                                     limit ${KEYS_MAX}) as kept`,
    [caller],
  );
  return count;
}

/**
 * Marks the call as one that took effect, in the transaction of its effect. Throws if another
 * request has taken over the key, so that a call never takes effect twice.
 */
export async function markTookEffect(tx: Transaction, call: IdempotentCall): Promise<void> {
  const rows = await tx.query(
    `update idempotent_call set took_effect = true
      where caller = $1 and key = $2 and token = $3 returning key`,
    [call.caller, call.key, call.token],
  );
  if (rows.length === 0) throw new Error('another request with the same idempotency key runs');
}

/** Stores the response of a call that took effect. */
export async function finishCall(
  { db, cipher }: Pick<IdempotencyDeps, 'db' | 'cipher'>,
  call: IdempotentCall,
  response: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const sealed = await encryptSecret(tx, cipher, response, contextOf(call));
    await tx.query(
      `update idempotent_call set response = $4 where caller = $1 and key = $2 and token = $3`,
      [call.caller, call.key, call.token, sealed],
    );
  });
}

/** Lets the next request with this key run the call, unless it took effect. */
export async function releaseCall(
  db: Queryable,
  call: IdempotentCall,
  now: Instant,
): Promise<void> {
  await db.query(
    `update idempotent_call set lease_until = to_timestamp($4 / 1000.0)
      where caller = $1 and key = $2 and token = $3`,
    [call.caller, call.key, call.token, now],
  );
}

/** Deletes keys that are older than a day. Returns the number of deleted keys. */
export async function deleteOldCalls(
  db: Queryable,
  { now, limit }: { now: Instant; limit: number },
): Promise<number> {
  const rows = await db.query(
    `delete from idempotent_call c using (
       select caller, key from idempotent_call where created_at <= to_timestamp($1 / 1000.0)
        order by created_at limit $2) old
      where c.caller = old.caller and c.key = old.key returning c.key`,
    [now - KEPT_MS, limit],
  );
  return rows.length;
}

interface StoredCall extends Row {
  fingerprint: string;
  createdAt: Instant;
  leaseUntil: Instant;
  tookEffect: boolean;
  response: string | null;
}

async function loadCall(
  tx: Transaction,
  { caller, key }: { caller: string; key: string },
): Promise<StoredCall | null> {
  const rows = await tx.query<StoredCall>(
    `select fingerprint, created_at as "createdAt", lease_until as "leaseUntil",
            took_effect as "tookEffect", response
       from idempotent_call where caller = $1 and key = $2 for update`,
    [caller, key],
  );
  return rows[0] ?? null;
}

async function insertCall(
  tx: Transaction,
  call: IdempotentCall,
  { fingerprint, now }: { fingerprint: string; now: Instant },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into idempotent_call (caller, key, fingerprint, token, created_at, lease_until)
     values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
     on conflict do nothing returning key`,
    [call.caller, call.key, fingerprint, call.token, now, now + LEASE_MS],
  );
  return rows.length > 0;
}

function contextOf({ caller, key }: IdempotentCall): string {
  return `idempotent-call ${caller} ${key}`;
}
