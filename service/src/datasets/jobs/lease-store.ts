import type { Db, Queryable, Transaction } from '../../storage/db.ts';
import { withTransactionStart } from './single-writer.ts';

/** A lease as other processes see it. */
export interface LeaseState {
  /** Fencing token. Increases with every acquisition. */
  token: number;
  /** The holder's heartbeat counter. */
  beat: number;
  /** The process that holds the lease; null if the lease is free. */
  holder: string | null;
}

/** No lease is acquired as often as this in one epoch. */
const EPOCH_TOKENS = 1_000_000;

/** Thrown when another process holds the lease, so that work in progress must not be stored. */
export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`another process holds the lease of ${name}`);
    this.name = 'LeaseLostError';
  }
}

/** Loads the current state of a lease; null if no process ever held it. */
export async function loadLease(db: Queryable, name: string): Promise<LeaseState | null> {
  // Returns at most one row.
  const rows = await db.query<{ token: number; beat: number; holder: string | null }>(
    `select token, beat, holder from ingest_lease where name = $1`,
    [name],
  );
  return rows[0] ?? null;
}

/**
 * Acquires the lease if it is free or unchanged since `seen`, and returns the new token. Returns
 * null if another process was faster or the holder has renewed the lease in the meantime.
 */
export async function acquireLease(
  db: Queryable,
  name: string,
  holder: string,
  previous: LeaseState | null,
): Promise<number | null> {
  // Returns one row if the lease was acquired. The row lock makes a concurrent acquirer wait and
  // then see a different token. A lost history may have granted the first token of a lease that this
  // one has never seen, so each epoch begins at another.
  const rows = await db.query<{ token: number }>(
    `insert into ingest_lease (name, token, beat, holder) 
       select $1, 1 + $5::int8 * count(*), 0, $2 from store_epoch
     on conflict (name) do update
       set token = ingest_lease.token + 1, beat = 0, holder = excluded.holder
       where ingest_lease.holder is null
          or (ingest_lease.token = $3::int8 and ingest_lease.beat = $4::int8)
     returning token`,
    [name, holder, previous?.token ?? -1, previous?.beat ?? -1, EPOCH_TOKENS],
  );
  return rows[0]?.token ?? null;
}

/** Records a heartbeat. Returns false if the lease is lost. */
export async function renewLease(db: Queryable, name: string, token: number): Promise<boolean> {
  // Returns one row if the token is valid.
  const rows = await db.query(
    `update ingest_lease set beat = beat + 1
      where name = $1 and token = $2 and holder is not null returning name`,
    [name, token],
  );
  return rows.length > 0;
}

/**
 * Ends all leases, including those that a lost history granted under tokens that are still to come
 * in this one.
 */
export async function invalidateLeases(db: Queryable): Promise<void> {
  // Updates a row per source.
  await db.query(`update ingest_lease set token = token + $1::int8, holder = null`, [EPOCH_TOKENS]);
}

/** Releases the lease. Has no effect if the lease is lost. */
export async function releaseLease(db: Queryable, name: string, token: number): Promise<void> {
  // Updates at most one row.
  await db.query(`update ingest_lease set holder = null where name = $1 and token = $2`, [
    name,
    token,
  ]);
}

/**
 * Throws `LeaseLostError` unless the token is valid, and keeps it valid until the end of the
 * transaction: a process that acquires the lease waits for the commit.
 */
async function requireLease(tx: Transaction, name: string, token: number): Promise<void> {
  // Returns one row if the token is valid.
  const rows = await tx.query(
    `select token from ingest_lease
      where name = $1 and token = $2 and holder is not null for share`,
    [name, token],
  );
  if (rows.length === 0) throw new LeaseLostError(name);
}

/** Returns a database whose transactions all fail once the lease is lost. */
export function fencedDb(db: Db, name: string, token: number): Db {
  return withTransactionStart(db, (tx) => requireLease(tx, name, token));
}
