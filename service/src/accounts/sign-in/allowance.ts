import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';

/** So many tries at once, and one more each `refillMs`. */
interface Allowance {
  tries: number;
  refillMs: number;
}

const MINUTE_MS = 60_000;

/** From one address, whoever is tried: a password list meets this. */
const PER_ADDRESS: Allowance = { tries: 20, refillMs: 2 * MINUTE_MS };
/** On one account from one address. */
const PER_PAIR: Allowance = { tries: 5, refillMs: 3 * MINUTE_MS };
/**
 * On one account from all addresses its person has not signed in from before: many machines meet
 * this, and its owner at a known place does not.
 */
const PER_ACCOUNT: Allowance = { tries: 30, refillMs: MINUTE_MS };

export interface Try {
  /** The e-mail address that was given, in lower case, whether anybody has it or not. */
  emailKey: string;
  address: string;
  /** The person has signed in from there before. */
  isKnownAddress: boolean;
}

/**
 * Takes one try from every allowance it counts for, before any password is looked at, so that tries
 * at the same moment are counted too. Null when it may go on, else the time to wait.
 */
export async function takeTry(
  db: Queryable,
  attempt: Try,
  now: Instant,
): Promise<{ retryAfterMs: number } | null> {
  await forgetWhole(db, now);
  for (const { bucket, allowance } of bucketsOf(attempt)) {
    const retryAfterMs = await take(db, bucket, allowance, now);
    if (retryAfterMs !== null) return { retryAfterMs };
  }
  return null;
}

/** After a success: the tries on the account do not count any more, and that of the address not. */
export async function giveBack(db: Queryable, attempt: Try): Promise<void> {
  const [pair, account, address] = namesOf(attempt);
  // Removes two rows, by the primary key.
  await db.query('delete from sign_in_allowance where bucket = any($1::text[])', [[pair, account]]);
  // Changes one row, by the primary key.
  await db.query(
    `update sign_in_allowance
        set full_at = full_at - make_interval(secs => $2 / 1000.0) where bucket = $1`,
    [address, PER_ADDRESS.refillMs],
  );
}

/** Makes an account's own allowance whole, when its owner has proved otherwise who they are. */
export async function clearAccount(db: Queryable, emailKey: string): Promise<void> {
  // Removes one row, by the primary key.
  await db.query('delete from sign_in_allowance where bucket = $1', [nameOf('account', emailKey)]);
}

async function take(
  db: Queryable,
  bucket: string,
  { tries, refillMs }: Allowance,
  now: Instant,
): Promise<number | null> {
  // The row if the try was admitted, by the primary key: full_at moves one refill on from now, and
  // never further than all tries' worth.
  const taken = await db.query(
    `insert into sign_in_allowance as held (bucket, full_at)
     values ($1, to_timestamp(($2::float8 + $3::float8) / 1000.0))
     on conflict (bucket) do update
        set full_at = to_timestamp((greatest(extract(epoch from held.full_at) * 1000, $2::float8)
                                    + $3::float8) / 1000.0)
      where greatest(extract(epoch from held.full_at) * 1000, $2::float8) + $3::float8
            <= $2::float8 + $4::float8
     returning bucket`,
    [bucket, now, refillMs, tries * refillMs],
  );
  if (taken.length === 1) return null;
  // The time of one bucket, by the primary key.
  const rows = await db.query<{ full_at: Instant } & Row>(
    'select full_at from sign_in_allowance where bucket = $1',
    [bucket],
  );
  const fullAt = rows[0]?.full_at ?? now;
  return Math.max(1_000, fullAt + refillMs - tries * refillMs - now);
}

/** What is whole again needs no row, so there are only as many as tries of the last hour. */
async function forgetWhole(db: Queryable, now: Instant): Promise<void> {
  // Removes what is whole, by the index on the time.
  await db.query('delete from sign_in_allowance where full_at <= to_timestamp($1 / 1000.0)', [now]);
}

function bucketsOf(attempt: Try): { bucket: string; allowance: Allowance }[] {
  const [pair, account, address] = namesOf(attempt);
  const common = [
    { bucket: address, allowance: PER_ADDRESS },
    { bucket: pair, allowance: PER_PAIR },
  ];
  return attempt.isKnownAddress ? common : [...common, { bucket: account, allowance: PER_ACCOUNT }];
}

function namesOf({ emailKey, address }: Try): [pair: string, account: string, address: string] {
  const from = networkOf(address);
  return [
    nameOf('pair', `${emailKey} ${from}`),
    nameOf('account', emailKey),
    nameOf('address', from),
  ];
}

/** Hashed, so that what people type by mistake is not in the store. */
function nameOf(kind: string, what: string): string {
  return createHash('sha256').update(`${kind} ${what}`).digest('hex').slice(0, 32);
}

/** Who has one IPv6 address has 2^64 of them. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
