import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import type { Instant } from '../../platform/instant.ts';
import type { Db, Queryable, Row, Transaction } from '../../storage/db.ts';

/** So many tries at once, and one more each `refillMs`. */
interface AttemptLimit {
  attempts: number;
  refillMs: number;
}

const MINUTE_MS = 60_000;

/** From one address, whoever is tried: a password list meets this. */
const PER_ADDRESS: AttemptLimit = { attempts: 20, refillMs: 2 * MINUTE_MS };
/** On one account from one address. */
const PER_PAIR: AttemptLimit = { attempts: 5, refillMs: 3 * MINUTE_MS };
/**
 * On one account from all addresses its person has not signed in from before: many machines meet
 * this, and its owner at a known place does not.
 */
const PER_ACCOUNT: AttemptLimit = { attempts: 30, refillMs: MINUTE_MS };

/** Codes for one account from anywhere, of who has its password. */
const CODES_PER_ACCOUNT: AttemptLimit = { attempts: 10, refillMs: 5 * MINUTE_MS };

export interface Attempt {
  /** The e-mail address that was given, in lower case, whether anybody has it or not. */
  emailKey: string;
  address: string;
  /** The person has signed in from there before. */
  isKnownAddress: boolean;
}

/**
 * Takes one try from every allowance it counts for, before any password is looked at, so that tries
 * at the same moment are counted too; from none when one of them refuses, lest who hammers on one
 * account keeps everybody at that address out. Null when it may go on, else the time to wait.
 */
export async function consumeAttempt(
  db: Db,
  attempt: Attempt,
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  await deleteFullBuckets(db, now);
  return db.transaction((tx) => consumeAll(tx, limitsFor(attempt), now));
}

/** As `takeTry`, of a code for an account whose password was right. */
export async function consumeCodeAttempt(
  db: Db,
  emailKey: string,
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  const bucket = bucketName('codes', emailKey);
  return db.transaction((tx) => consumeAll(tx, [{ bucket, limit: CODES_PER_ACCOUNT }], now));
}

/** After a success: the tries on the account do not count any more, and that of the address not. */
export async function resetAfterSuccess(tx: Transaction, attempt: Attempt): Promise<void> {
  const [pair, account, address] = bucketNames(attempt);
  const codes = bucketName('codes', attempt.emailKey);
  await lockBuckets(tx, [pair, account, address, codes]);
  // Removes three rows, by the primary key.
  await tx.query('delete from sign_in_allowance where bucket = any($1::text[])', [
    [pair, account, codes],
  ]);
  await refundAddressAttempt(tx, attempt);
}

/** The try of the address does not count. */
export async function refundAddressAttempt(db: Queryable, attempt: Attempt): Promise<void> {
  const [, , address] = bucketNames(attempt);
  // Changes one row, by the primary key.
  await db.query(
    `update sign_in_allowance
        set full_at = full_at - make_interval(secs => $2 / 1000.0) where bucket = $1`,
    [address, PER_ADDRESS.refillMs],
  );
}

/**
 * Makes an account's own allowances whole, from everywhere and from that address, when its owner has
 * proved otherwise who they are. That of codes stays: who has the way to a new password need not have
 * the second factor.
 */
export async function resetAccountLimits(
  tx: Transaction,
  owner: { emailKey: string; address: string },
): Promise<void> {
  const [pair, account] = bucketNames(owner);
  await lockBuckets(tx, [pair, account]);
  // Removes two rows, by the primary key.
  await tx.query('delete from sign_in_allowance where bucket = any($1::text[])', [[pair, account]]);
}

async function consumeAll(
  tx: Transaction,
  buckets: readonly Bucket[],
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  const names = buckets.map(({ bucket }) => bucket).toSorted();
  // Adds those that are not there as whole ones, in the order of their names.
  await tx.query(
    `insert into sign_in_allowance (bucket, full_at)
     select name, to_timestamp($2 / 1000.0) from unnest($1::text[]) as wanted (name)
     order by name
     on conflict (bucket) do nothing`,
    [names, now],
  );
  const fullAt = await lockBuckets(tx, names);
  // full_at moves one refill on from now, and never further than all tries' worth.
  const nextStates = buckets.map(({ bucket, limit: { attempts: tries, refillMs } }) => {
    const nextFullAt = Math.max(fullAt.get(bucket) ?? now, now) + refillMs;
    return { bucket, next: nextFullAt, waitMs: nextFullAt - now - tries * refillMs };
  });
  const waitMs = Math.max(...nextStates.map((nextState) => nextState.waitMs));
  if (waitMs > 0) return { retryAfterMs: Math.max(1_000, waitMs) };
  for (const { bucket, next: nextFullAt } of nextStates) {
    // Changes one row, by the primary key.
    await tx.query(
      'update sign_in_allowance set full_at = to_timestamp($2 / 1000.0) where bucket = $1',
      [bucket, nextFullAt],
    );
  }
  return null;
}

/** When they are whole. Locked in one order for all, so that no two wait for each other. */
async function lockBuckets(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  // The few rows of these names that are there, by the primary key.
  const rows = await tx.query<{ bucket: string; full_at: Instant } & Row>(
    `select bucket, full_at from sign_in_allowance
      where bucket = any($1::text[]) order by bucket for update`,
    [names],
  );
  return new Map(rows.map(({ bucket, full_at }) => [bucket, full_at]));
}

/** What is whole again needs no row, so there are only as many as tries of the last hour. */
async function deleteFullBuckets(db: Queryable, now: Instant): Promise<void> {
  // Removes what is whole and nobody is taking from, by the index on the time.
  await db.query(
    `delete from sign_in_allowance where bucket in (
       select bucket from sign_in_allowance where full_at <= to_timestamp($1 / 1000.0)
       for update skip locked)`,
    [now],
  );
}

interface Bucket {
  bucket: string;
  limit: AttemptLimit;
}

function limitsFor(attempt: Attempt): Bucket[] {
  const [pair, account, address] = bucketNames(attempt);
  const common = [
    { bucket: address, limit: PER_ADDRESS },
    { bucket: pair, limit: PER_PAIR },
  ];
  return attempt.isKnownAddress ? common : [...common, { bucket: account, limit: PER_ACCOUNT }];
}

function bucketNames({
  emailKey,
  address,
}: Pick<Attempt, 'emailKey' | 'address'>): [pair: string, account: string, address: string] {
  const network = networkAddress(address);
  return [
    bucketName('pair', `${emailKey} ${network}`),
    bucketName('account', emailKey),
    bucketName('address', network),
  ];
}

/** Hashed, so that what people type by mistake is not in the store. */
function bucketName(kind: string, key: string): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex').slice(0, 32);
}

/** Who has one IPv6 address has 2^64 of them. */
export function networkAddress(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
