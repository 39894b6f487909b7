import type { Clock } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Db, Queryable, Row, Transaction } from '../../storage/db.ts';
import { LEASE_MS } from '../queue/in-flight-attempt.ts';
import { NOTHING, spanTried, triedIn, triedParams } from './attempts-query.ts';

const HOUR_MS = 3_600_000;
/**
 * An hour is kept so long after its end: a claim that is not committed is not seen, and a transaction
 * of which nothing is heard ends within a minute.
 */
const SETTLED_MS = 600_000;
/** Kept in one go: to find the attempts of one hour, deliveries of seven days are read. */
const HOURS_AT_A_TIME = 24;

/** Hours of UTC that are kept: from the first, before the second; none where that is no later. */
export interface RolledUpHours {
  since: Instant;
  until: Instant;
}

/** Null where there never were any. */
export async function loadRolledUpHours(db: Queryable): Promise<RolledUpHours | null> {
  // The only row.
  const [kept] = await db.query<RolledUpHours & Row>('select since, until from attempt_hours_kept');
  return kept ?? null;
}

/**
 * Keeps what attempts of the next hours came to, once nothing of them is under way. Returns whether
 * there are more: call again until there are none. Several processes may.
 */
export async function rollUpAttempts({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const settled = hourOf(clock.now() - SETTLED_MS);
  const kept = await loadRolledUpHours(db);
  if (kept === null) return begin(db, settled);
  if (kept.until === settled) return false;
  return db.transaction((tx) => rollUpNext(tx, settled));
}

/** From the first attempt there is; who finishes attempts waits for this row when it must. */
async function begin(db: Db, settled: Instant): Promise<boolean> {
  // The first by the primary key: those that began earlier, if any, are read where they are.
  const [first] = await db.query<{ at: Instant }>(
    'select started_at as at from delivery_attempt order by delivery_id, n limit 1',
  );
  const since = first === undefined ? settled : Math.min(settled, hourOf(first.at));
  // Adds the only row.
  await db.query(
    `insert into attempt_hours_kept (since, until)
     values (to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0)) on conflict do nothing`,
    [since],
  );
  return since < settled;
}

async function rollUpNext(tx: Transaction, settled: Instant): Promise<boolean> {
  // The only row; none while another process is at it.
  const [kept] = await tx.query<RolledUpHours & Row>(
    'select since, until from attempt_hours_kept for update skip locked',
  );
  if (kept === undefined) return false;
  // Under a clock that was set back attempts begin in hours that were thought over.
  if (kept.until > settled) {
    await writeRolledUp(tx, Math.min(kept.since, settled), settled);
    return false;
  }
  const from = Math.max(kept.since, kept.until);
  // Asked before the attempts are read: what ends in between is read, and what began is here.
  const limit = Math.min(settled, hourOf(await loadOldestUnderWay(tx)));
  if (limit <= from) return false;
  const to = Math.min(limit, from + HOURS_AT_A_TIME * HOUR_MS);
  await rollUp(tx, { from, to }, kept.since);
  await writeRolledUp(tx, kept.since, to);
  return to < limit;
}

async function rollUp(
  tx: Transaction,
  { from, to }: { from: Instant; to: Instant },
  since: Instant,
): Promise<void> {
  // The deliveries of a busy week take longer than a request may.
  await tx.query('set local statement_timeout = 600000');
  // What means nothing any more, by index attempt_hour_by_hour.
  await tx.query(
    `delete from attempt_hour
      where hour < to_timestamp($1 / 1000.0) or hour >= to_timestamp($2 / 1000.0)`,
    [since, from],
  );
  // One row an endpoint, hour and outcome.
  await tx.query(
    `with ${triedIn({ isOfEndpoints: false })}
     insert into attempt_hour (endpoint_id, hour, error, attempts, durations)
     select endpoint_id, hour, coalesce(error, ''), count(*),
            coalesce(array_agg(duration_ms) filter (where duration_ms is not null), '{}')
       from tried group by 1, 2, 3`,
    triedParams([spanTried({ from, to }), NOTHING]),
  );
}

async function writeRolledUp(tx: Transaction, since: Instant, until: Instant): Promise<void> {
  // The only row.
  await tx.query(
    `update attempt_hours_kept
        set since = to_timestamp($1 / 1000.0), until = to_timestamp($2 / 1000.0)`,
    [since, until],
  );
}

/** When the oldest attempt under way began; none: later than anything. */
async function loadOldestUnderWay(tx: Transaction): Promise<Instant> {
  // One row, from index delivery_in_flight, which has a row for each delivery under way.
  const [row] = await tx.query<{ leaseUntil: Instant | null }>(
    `select min(lease_until) as "leaseUntil" from delivery where state = 'in_progress'`,
  );
  const leaseUntil = row?.leaseUntil ?? null;
  return leaseUntil === null ? Number.MAX_SAFE_INTEGER : leaseUntil - LEASE_MS;
}

function hourOf(at: Instant): Instant {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** The hours that are kept and lie wholly in a span, null for none. */
export function rolledUpWithin(
  kept: RolledUpHours | null,
  { from, to }: { from: Instant; to: Instant },
): { from: Instant; to: Instant } | null {
  if (kept === null) return null;
  const first = Math.max(kept.since, -hourOf(-from));
  const end = Math.min(kept.until, hourOf(to));
  return first < end ? { from: first, to: end } : null;
}
