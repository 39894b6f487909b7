import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import { networkAddress } from '../../platform/network-address.ts';
import type { Db, Queryable, Row, Transaction } from '../../storage/db.ts';

/** A token bucket that allows a burst of attempts, then one attempt every `refillMs`. */
interface AttemptLimit {
  attempts: number;
  refillMs: number;
}

const MINUTE_MS = 60_000;

/** Limit per address, across all accounts. It slows down attacks with password lists. */
const PER_ADDRESS: AttemptLimit = { attempts: 20, refillMs: 2 * MINUTE_MS };
/** Limit per account and address. */
const PER_PAIR: AttemptLimit = { attempts: 5, refillMs: 3 * MINUTE_MS };
/**
 * Limit per account, across all addresses from which its owner has not signed in. It slows down
 * distributed attacks without locking the owner out at a known address.
 */
const PER_ACCOUNT: AttemptLimit = { attempts: 30, refillMs: MINUTE_MS };

/** Limit per account and address for second-factor codes, which are checked after the password. */
const CODES_PER_PAIR: AttemptLimit = { attempts: 5, refillMs: 5 * MINUTE_MS };
/**
 * Limit per account for six-digit codes, across all addresses from which its owner has not signed
 * in. A guesser can change the address; the owner at a known address is not locked out.
 */
const CODES_PER_ACCOUNT: AttemptLimit = { attempts: 10, refillMs: 5 * MINUTE_MS };

export interface Attempt {
  /** The submitted email address in lower case, whether or not an account exists for it. */
  emailKey: string;
  address: string;
  /** True if the person has signed in from this address before. */
  isKnownAddress: boolean;
}

/**
 * Consumes one attempt from every applicable limit. Call it before checking the password, so that
 * concurrent attempts are counted. If any limit refuses, no attempt is consumed, so that attacks on
 * one account do not lock others out at that address. Returns null if the attempt is admitted,
 * otherwise the time to wait.
 */
export async function consumeAttempt(
  db: Db,
  attempt: Attempt,
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  await deleteFullBuckets(db, now);
  return db.transaction((tx) => consumeAll(tx, limitsFor(attempt), now));
}

/**
 * Like `consumeAttempt`, for a second-factor code after a correct password. Recovery codes cannot be
 * guessed, so they are not limited across addresses.
 */
export async function consumeCodeAttempt(
  db: Db,
  attempt: Attempt,
  code: { isRecovery: boolean },
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  const [pair, account] = codeBucketNames(attempt);
  const buckets = [{ bucket: pair, limit: CODES_PER_PAIR }];
  if (!attempt.isKnownAddress && !code.isRecovery) {
    buckets.push({ bucket: account, limit: CODES_PER_ACCOUNT });
  }
  return db.transaction((tx) => consumeAll(tx, buckets, now));
}

/** Resets the account's limits and refunds the address's attempt after a successful sign-in. */
export async function resetAfterSuccess(tx: Transaction, attempt: Attempt): Promise<void> {
  const [pair, account, address] = bucketNames(attempt);
  const ended = [pair, account, ...codeBucketNames(attempt)];
  await lockBuckets(tx, [...ended, address]);
  await tx.query('delete from sign_in_allowance where bucket = any($1::text[])', [ended]);
  await refundAddressAttempt(tx, attempt);
}

/** Refunds the attempt that was counted for the address. */
export async function refundAddressAttempt(db: Queryable, attempt: Attempt): Promise<void> {
  const [, , address] = bucketNames(attempt);
  await db.query(
    `update sign_in_allowance
        set full_at = full_at - make_interval(secs => $2 / 1000.0) where bucket = $1`,
    [address, PER_ADDRESS.refillMs],
  );
}

/**
 * Resets an account's limits after its owner has proved their identity by other means. The limit
 * for codes is kept, because a password reset does not prove the second factor.
 */
export async function resetAccountLimits(
  tx: Transaction,
  owner: { emailKey: string; address: string },
): Promise<void> {
  const [pair, account] = bucketNames(owner);
  await lockBuckets(tx, [pair, account]);
  await tx.query('delete from sign_in_allowance where bucket = any($1::text[])', [[pair, account]]);
}

async function consumeAll(
  tx: Transaction,
  buckets: readonly Bucket[],
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  const names = buckets.map(({ bucket }) => bucket).toSorted();
  // Adds missing rows as full buckets, in name order.
  await tx.query(
    `insert into sign_in_allowance (bucket, full_at)
     select name, to_timestamp($2 / 1000.0) from unnest($1::text[]) as wanted (name)
     order by name
     on conflict (bucket) do nothing`,
    [names, now],
  );
  const fullAt = await lockBuckets(tx, names);
  // Each attempt moves `full_at` one refill later, until the whole burst is consumed.
  const nextStates = buckets.map(({ bucket, limit: { attempts, refillMs } }) => {
    const nextFullAt = Math.max(fullAt.get(bucket) ?? now, now) + refillMs;
    return { bucket, next: nextFullAt, waitMs: nextFullAt - now - attempts * refillMs };
  });
  const waitMs = Math.max(...nextStates.map((nextState) => nextState.waitMs));
  if (waitMs > 0) return { retryAfterMs: Math.max(1_000, waitMs) };
  for (const { bucket, next: nextFullAt } of nextStates) {
    await tx.query(
      'update sign_in_allowance set full_at = to_timestamp($2 / 1000.0) where bucket = $1',
      [bucket, nextFullAt],
    );
  }
  return null;
}

/**
 * Locks buckets and returns the time when each will be full again. All callers lock in the same
 * order to avoid deadlocks.
 */
async function lockBuckets(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await tx.query<{ bucket: string; full_at: Instant } & Row>(
    `select bucket, full_at from sign_in_allowance
      where bucket = any($1::text[]) order by bucket for update`,
    [names],
  );
  return new Map(rows.map(({ bucket, full_at }) => [bucket, full_at]));
}

/**
 * Deletes full buckets. A full bucket needs no row, so the table holds only attempts from the last
 * hour.
 */
async function deleteFullBuckets(db: Queryable, now: Instant): Promise<void> {
  // Deletes full buckets that no transaction has locked; uses the index on the time.
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

function codeBucketNames({ emailKey, address }: Attempt): [pair: string, account: string] {
  return [
    bucketName('codes pair', `${emailKey} ${networkAddress(address)}`),
    bucketName('codes', emailKey),
  ];
}

/** Returns a hashed name, because people sometimes type a password into the email field. */
function bucketName(kind: string, key: string): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex').slice(0, 32);
}
