import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';

/** A lead below this is a correction of the clock. */
const LEAD_MS_MIN = 5 * 60_000;

/**
 * Columns with the time of an observation, a fetch or a commit. Times that sources announce, such
 * as that of a release, are not among them.
 */
const RECORDED_AT: Readonly<Record<string, readonly string[]>> = {
  raw_answer: ['observed_at', 'received_at'],
  sighting: ['observed_at'],
  listed_day: ['observed_at'],
  price_bar: ['observed_at'],
  share_split: ['seen_at'],
  filed_split: ['seen_at'],
  quote: ['price_seen_at', 'market_cap_seen_at'],
  earnings_event: [
    'estimate_as_of',
    'revenue_estimate_as_of',
    'updated_at',
    'known_from',
    'known_to',
  ],
  dividend: ['updated_at', 'known_from', 'known_to'],
  economic_event: ['updated_at', 'known_from', 'known_to'],
  ipo: ['updated_at', 'known_from', 'known_to'],
  profile: ['updated_at', 'known_from', 'known_to'],
  security: ['listed_at'],
  security_version: ['listed_at', 'known_from', 'known_to'],
  change_record: ['observed_at', 'committed_at'],
  commit_log: ['committed_at'],
  quarantined_row: ['quarantined_at'],
  quarantine_decision: ['decided_at'],
  ingest_run: ['started_at'],
  ingest_batch: ['started_at'],
  ingest_request: ['asked_at', 'done_at'],
  webhook_fan_out: ['changed_at'],
  delivery_attempt: ['started_at'],
  delivery_claim: ['claimed_at', 'lease_until'],
};

/** Times of a delivery. A retry may be due in the future, so `created_at` decides. */
const DELIVERY_TIMES = [
  'changed_at',
  'created_at',
  'due_at',
  'first_attempt_at',
  'delivered_at',
  'finished_at',
];

/**
 * Returns how far the newest commit in the store is ahead of the clock, or null if it is not. A
 * store gets ahead when it was filled with a clock in the future. Its newest values then stay in
 * place, because every later observation looks older.
 */
export async function loadClockLeadMs(db: Queryable, now: Instant): Promise<number | null> {
  // Returns at most one row.
  const [row] = await db.query<{ at: Instant }>(`select at from version_clock`);
  const leadMs = (row?.at ?? now) - now;
  return leadMs < LEAD_MS_MIN ? null : leadMs;
}

/**
 * Moves everything that was recorded in the future back by the same time, so that the newest was
 * recorded now and the order stays. Scheduled jobs that ran in the future are due again. Returns
 * the number of rows that moved. Use it only with a right clock.
 */
export async function moveFutureBack(tx: Transaction, now: Instant): Promise<number> {
  const leadMs = await loadClockLeadMs(tx, now);
  if (leadMs === null) return 0;
  let count = 0;
  for (const [table, columns] of Object.entries(RECORDED_AT)) {
    count += await moveBack(tx, { table, columns, now, leadMs });
  }
  const assignments = DELIVERY_TIMES.map((column) => `${column} = ${column} - lead.lead`);
  // Updates deliveries created in the future. Scans the table.
  await tx.query(
    `update delivery set ${assignments.join(', ')}
       from (select $2::float8 * interval '1 millisecond' as lead) lead
      where created_at > to_timestamp($1 / 1000.0)`,
    [now, leadMs],
  );
  // Deletes one row per job that ran in the future.
  await tx.query(`delete from job_progress where done_at > to_timestamp($1 / 1000.0)`, [now]);
  // Updates the only row.
  await tx.query(
    `update version_clock set at = to_timestamp($1 / 1000.0),
            first_at = least(first_at, to_timestamp($1 / 1000.0))`,
    [now],
  );
  return count;
}

async function moveBack(
  tx: Transaction,
  step: { table: string; columns: readonly string[]; now: Instant; leadMs: number },
): Promise<number> {
  const { table, columns, now, leadMs } = step;
  const isFuture = (column: string): string => `t.${column} > clock.now`;
  const assignments = columns.map(
    (column) =>
      `${column} = case when ${isFuture(column)} then t.${column} - clock.lead
                        else t.${column} end`,
  );
  // Updates the rows recorded in the future. Returns one row with their number. Scans the table.
  const [row] = await tx.query<{ moved: number }>(
    `with moved as (
       update ${table} t set ${assignments.join(', ')}
         from (select to_timestamp($1 / 1000.0) as now,
                      $2::float8 * interval '1 millisecond' as lead) clock
        where ${columns.map(isFuture).join(' or ')}
       returning 1)
     select count(*)::int4 as moved from moved`,
    [now, leadMs],
  );
  return row?.moved ?? 0;
}
