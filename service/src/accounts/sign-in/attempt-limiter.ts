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
 * Limit per account, across all addresses. It slows down distributed attacks. When it is reached, only
 * people who have signed in from the address may sign in there, so the owner is not locked out.
 */
const PER_ACCOUNT: AttemptLimit = { attempts: 30, refillMs: MINUTE_MS };

/** Limit per person and address for second-factor codes, which are checked after the password. */
const CODES_PER_PAIR: AttemptLimit = { attempts: 5, refillMs: 5 * MINUTE_MS };
/**
 * Limit per person for six-digit codes, across all addresses from which its owner has not signed
 * in. A guesser can change the address; the owner at a known address is not locked out.
 */
const CODES_PER_ACCOUNT: AttemptLimit = { attempts: 10, refillMs: 5 * MINUTE_MS };

export interface Attempt {
  /**
   * The submitted email address in lower case. It may belong to no person, or to several with passwords
   * of their own. Limits per account count for all of them.
   */
  emailKey: string;
  address: string;
  /** True if a person with this email address has signed in from this address before. */
  isKnownAddress: boolean;
}

export interface CodeAttempt {
  personId: string;
  address: string;
  /** True if the person has signed in from this address before. */
  isKnownAddress: boolean;
}

/** An admitted attempt. */
export interface Admission {
  /** False if the account has no attempts left: then only people who know the address may sign in. */
  isForEveryone: boolean;
}

interface Refusal {
  retryAfterMs: number;
}

/**
 * Consumes one attempt from every applicable limit. Call it before checking the password, so that
 * concurrent attempts are counted. If any limit refuses, no attempt is consumed, so that attacks on
 * one account do not lock others out at that address.
 */
export async function consumeAttempt(
  db: Db,
  attempt: Attempt,
  now: Instant,
): Promise<Admission | Refusal> {
  await deleteFullBuckets(db, now);
  const [pair, account, address] = bucketNames(attempt);
  const buckets = [
    { bucket: address, limit: PER_ADDRESS },
    { bucket: pair, limit: PER_PAIR },
    { bucket: account, limit: PER_ACCOUNT, isOptional: attempt.isKnownAddress },
  ];
  return db.transaction(async (tx) => {
    // A power failure may forget some attempts. In exchange, a flood of them never waits for the
    // disk, which the embedded store would make everyone wait for.
    await tx.query('set local synchronous_commit = off');
    return consumeAll(tx, buckets, now);
  });
}

/** Consumes an attempt of an account without a sign-in. Returns false if it has none left. */
export async function consumeAccountAttempt(
  db: Db,
  emailKey: string,
  now: Instant,
): Promise<boolean> {
  const buckets = [{ bucket: accountBucket(emailKey), limit: PER_ACCOUNT }];
  return 'isForEveryone' in (await db.transaction((tx) => consumeAll(tx, buckets, now)));
}

/**
 * Like `consumeAttempt`, for a second-factor code after a correct password. Recovery codes cannot be
 * guessed, so they are not limited across addresses.
 */
export async function consumeCodeAttempt(
  db: Db,
  attempt: CodeAttempt,
  code: { isRecovery: boolean },
  now: Instant,
): Promise<Refusal | null> {
  const [pair, account] = codeBucketNames(attempt);
  const buckets = [{ bucket: pair, limit: CODES_PER_PAIR }];
  if (!attempt.isKnownAddress && !code.isRecovery) {
    buckets.push({ bucket: account, limit: CODES_PER_ACCOUNT });
  }
  const outcome = await db.transaction((tx) => consumeAll(tx, buckets, now));
  return 'retryAfterMs' in outcome ? outcome : null;
}

/**
 * Resets the limits of a person at the address after a successful sign-in, and refunds its attempt.
 * The other attempts of the account stay counted: they may have been guesses at the password of
 * someone else with the same email address.
 */
export async function resetAfterSuccess(
  tx: Transaction,
  attempt: Attempt & CodeAttempt & Admission,
): Promise<void> {
  const [pair, account, address] = bucketNames(attempt);
  const ended = [pair, ...codeBucketNames(attempt)];
  await lockBuckets(tx, [...ended, account, address]);
  await tx.query('delete from sign_in_allowance where bucket = any($1::text[])', [ended]);
  if (attempt.isForEveryone) await refund(tx, account, PER_ACCOUNT);
  await refund(tx, address, PER_ADDRESS);
}

/** Refunds the attempt that was counted for the address. */
export function refundAddressAttempt(db: Queryable, attempt: Attempt): Promise<void> {
  const [, , address] = bucketNames(attempt);
  return refund(db, address, PER_ADDRESS);
}

async function refund(db: Queryable, bucket: string, { refillMs }: AttemptLimit): Promise<void> {
  await db.query(
    `update sign_in_allowance
        set full_at = full_at - make_interval(secs => $2 / 1000.0) where bucket = $1`,
    [bucket, refillMs],
  );
}

/**
 * Resets the limit of an account at an address after its owner has proved their identity by other
 * means. The limit for codes is kept, because a password reset does not prove the second factor.
 */
export async function resetPairLimit(
  tx: Transaction,
  owner: { emailKey: string; address: string },
): Promise<void> {
  const [pair] = bucketNames(owner);
  await tx.query('delete from sign_in_allowance where bucket = $1', [pair]);
}

async function consumeAll(
  tx: Transaction,
  buckets: readonly Bucket[],
  now: Instant,
): Promise<Admission | Refusal> {
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
  const nextStates = buckets.map(
    ({ bucket, limit: { attempts, refillMs }, isOptional = false }) => {
      const nextFullAt = Math.max(fullAt.get(bucket) ?? now, now) + refillMs;
      const waitMs = nextFullAt - now - attempts * refillMs;
      return { bucket, next: nextFullAt, waitMs, isSkipped: isOptional && waitMs > 0 };
    },
  );
  const consumed = nextStates.filter(({ isSkipped }) => !isSkipped);
  const waitMs = Math.max(...consumed.map((nextState) => nextState.waitMs));
  if (waitMs > 0) return { retryAfterMs: Math.max(1_000, waitMs) };
  for (const { bucket, next: nextFullAt } of consumed) {
    await tx.query(
      'update sign_in_allowance set full_at = to_timestamp($2 / 1000.0) where bucket = $1',
      [bucket, nextFullAt],
    );
  }
  return { isForEveryone: consumed.length === buckets.length };
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
  /** True if the bucket does not refuse an attempt. */
  isOptional?: boolean;
}

function bucketNames({
  emailKey,
  address,
}: Pick<Attempt, 'emailKey' | 'address'>): [pair: string, account: string, address: string] {
  const network = networkAddress(address);
  return [
    bucketName('pair', `${emailKey} ${network}`),
    accountBucket(emailKey),
    bucketName('address', network),
  ];
}

function accountBucket(emailKey: string): string {
  return bucketName('account', emailKey);
}

function codeBucketNames({ personId, address }: CodeAttempt): [pair: string, account: string] {
  return [
    bucketName('codes pair', `${personId} ${networkAddress(address)}`),
    bucketName('codes', personId),
  ];
}

/** Returns a hashed name, because people sometimes type a password into the email field. */
function bucketName(kind: string, key: string): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex').slice(0, 32);
}
