import type { Db, Queryable, Transaction } from '../../storage/db.ts';
import { withTransactionStart } from './single-writer.ts';

/** What others see of a lease. */
export interface LeaseState {
  token: number;
  /** Grows while the holder lives. */
  beat: number;
  /** Null when nobody holds it. */
  holder: string | null;
}

/** Somebody else holds the lease by now: what was under way must not be stored. */
export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`another process gathers from ${name} by now`);
    this.name = 'LeaseLostError';
  }
}

/** The lease as it stands; null when nobody ever held it. */
export async function loadLease(db: Queryable, name: string): Promise<LeaseState | null> {
  // At most one row, by the primary key.
  const rows = await db.query<{ token: number; beat: number; holder: string | null }>(
    `select token, beat, holder from ingest_lease where name = $1`,
    [name],
  );
  return rows[0] ?? null;
}

/**
 * Takes the lease if it is free, or stands exactly as it was seen; null when somebody was faster or
 * its holder has given a sign of life since. The token is larger than all before.
 */
export async function acquireLease(
  db: Queryable,
  name: string,
  holder: string,
  seen: LeaseState | null,
): Promise<number | null> {
  // One row when it was taken; by the primary key. The row lock makes one of two takers wait and
  // then find another token.
  const rows = await db.query<{ token: number }>(
    `insert into ingest_lease (name, token, beat, holder) values ($1, 1, 0, $2)
     on conflict (name) do update
       set token = ingest_lease.token + 1, beat = 0, holder = excluded.holder
       where ingest_lease.holder is null
          or (ingest_lease.token = $3::int8 and ingest_lease.beat = $4::int8)
     returning token`,
    [name, holder, seen?.token ?? -1, seen?.beat ?? -1],
  );
  return rows[0]?.token ?? null;
}

/** Gives a sign of life; false when the lease is another's. */
export async function renewLease(db: Queryable, name: string, token: number): Promise<boolean> {
  // One row when the token still holds; by the primary key.
  const rows = await db.query(
    `update ingest_lease set beat = beat + 1
      where name = $1 and token = $2 and holder is not null returning name`,
    [name, token],
  );
  return rows.length > 0;
}

/** Gives the lease back; nothing when it is another's. */
export async function releaseLease(db: Queryable, name: string, token: number): Promise<void> {
  // By the primary key.
  await db.query(`update ingest_lease set holder = null where name = $1 and token = $2`, [
    name,
    token,
  ]);
}

/**
 * Throws LeaseLostError unless the token holds, and keeps it holding up to the end of the
 * transaction: whoever would take over waits until it is committed.
 */
async function requireLease(tx: Transaction, name: string, token: number): Promise<void> {
  // One row when the token still holds; by the primary key.
  const rows = await tx.query(
    `select token from ingest_lease
      where name = $1 and token = $2 and holder is not null for share`,
    [name, token],
  );
  if (rows.length === 0) throw new LeaseLostError(name);
}

/** The same store, of which every transaction is refused once the lease is lost. */
export function fencedDb(db: Db, name: string, token: number): Db {
  return withTransactionStart(db, (tx) => requireLease(tx, name, token));
}
