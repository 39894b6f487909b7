import type { Clock } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Db, Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { attemptRange, attemptsIn } from './attempts-query.ts';

const HOUR_MS = 3_600_000;
/**
 * Time after its end at which an hour is rolled up. By then, all claims from that hour are visible:
 * a claim is not visible until it is committed, but idle transactions end within a minute.
 */
const SETTLED_MS = 600_000;
/**
 * Maximum number of hours per transaction. Finding the attempts in one hour requires reading the
 * deliveries from seven days.
 */
const HOURS_AT_A_TIME = 24;

/**
 * Rolled-up UTC hours, from `since` inclusive to `until` exclusive. There are none if both are
 * equal.
 */
export interface RolledUpHours {
  since: Instant;
  until: Instant;
}

/** Returns the rolled-up hours, or null before the first rollup. */
export async function loadRolledUpHours(db: Queryable): Promise<RolledUpHours | null> {
  const [hours] = await db.query<RolledUpHours & Row>(
    'select since, until from attempt_hours_kept',
  );
  return hours ?? null;
}

/**
 * Aggregates attempts from the next hours into `attempt_hour` once none of them is in flight.
 * Returns true if more hours remain. Several processes may run this at the same time.
 */
export async function rollUpAttempts({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const settled = hourOf(clock.now() - SETTLED_MS);
  const hours = await loadRolledUpHours(db);
  if (hours === null) return begin(db, settled);
  if (hours.until === settled) return false;
  return db.transaction((tx) => rollUpNext(tx, settled));
}

/**
 * Starts the rollup at the hour of the oldest attempt. Returns true if there is an hour to roll up.
 */
async function begin(db: Db, settled: Instant): Promise<boolean> {
  // Returns at most one row, from the start of the primary key.
  const [oldest] = await db.query<{ at: Instant }>(
    'select started_at as at from delivery_attempt order by delivery_id, n limit 1',
  );
  const since = oldest === undefined ? settled : Math.min(settled, hourOf(oldest.at));
  await db.query(
    `insert into attempt_hours_kept (since, until)
     values (to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0)) on conflict do nothing`,
    [since],
  );
  return since < settled;
}

async function rollUpNext(tx: Transaction, settled: Instant): Promise<boolean> {
  // Returns one row, or none if another process holds the lock.
  const [hours] = await tx.query<RolledUpHours & Row>(
    'select since, until from attempt_hours_kept for update skip locked',
  );
  if (hours === undefined) return false;
  // The clock was set back, so new attempts start in hours that were already treated as complete.
  if (hours.until > settled) {
    await writeRolledUp(tx, Math.min(hours.since, settled), settled);
    return false;
  }
  const from = Math.max(hours.since, hours.until);
  // Must be read before the attempts, so that an attempt that ends in between is included.
  const limit = Math.min(settled, hourOf(await loadOldestInFlight(tx)));
  if (limit <= from) return false;
  const to = Math.min(limit, from + HOURS_AT_A_TIME * HOUR_MS);
  await rollUp(tx, { from, to }, hours.since);
  await writeRolledUp(tx, hours.since, to);
  return to < limit;
}

async function rollUp(
  tx: Transaction,
  { from, to }: { from: Instant; to: Instant },
  since: Instant,
): Promise<void> {
  // Reading the deliveries of a busy week exceeds the usual statement timeout.
  await tx.query('set local statement_timeout = 600000');
  // Removes rows for hours that are not rolled up. Uses index `attempt_hour_by_hour`.
  await tx.query(
    `delete from attempt_hour
      where hour < to_timestamp($1 / 1000.0) or hour >= to_timestamp($2 / 1000.0)`,
    [since, from],
  );
  // Adds one row per endpoint, hour and outcome.
  await tx.query(
    ...statement(sql`
      with ${attemptsIn([attemptRange({ from, to })])}
      insert into attempt_hour (endpoint_id, hour, error, attempts, durations)
      select endpoint_id, hour, coalesce(error, ''), count(*),
             coalesce(array_agg(duration_ms) filter (where duration_ms is not null), '{}')
        from attempts group by 1, 2, 3`),
  );
}

async function writeRolledUp(tx: Transaction, since: Instant, until: Instant): Promise<void> {
  await tx.query(
    `update attempt_hours_kept
        set since = to_timestamp($1 / 1000.0), until = to_timestamp($2 / 1000.0)`,
    [since, until],
  );
}

/** Returns the start of the oldest attempt in flight, or the maximum value if there is none. */
async function loadOldestInFlight(tx: Transaction): Promise<Instant> {
  const [row] = await tx.query<{ at: Instant | null }>(
    'select min(claimed_at) as at from delivery_claim',
  );
  return row?.at ?? Number.MAX_SAFE_INTEGER;
}

function hourOf(at: Instant): Instant {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** Returns the rolled-up hours that lie completely in a range, or null if there are none. */
export function rolledUpWithin(
  hours: RolledUpHours | null,
  { from, to }: { from: Instant; to: Instant },
): { from: Instant; to: Instant } | null {
  if (hours === null) return null;
  const first = Math.max(hours.since, -hourOf(-from));
  const end = Math.min(hours.until, hourOf(to));
  return first < end ? { from: first, to: end } : null;
}
