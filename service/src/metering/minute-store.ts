import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

/**
 * The admissions of a customer in the minute before a stop, oldest first: in the table that several
 * processes on one store work in, which the one process alone leaves empty while it runs.
 */
export interface KeptMinute {
  customerId: string;
  /** The limit they were under. */
  perMinute: number;
  admittedAt: readonly Instant[];
}

interface MinuteRow extends Row {
  customerId: string;
  perMinute: number;
  baseMs: number;
  admittedMs: number[];
}

/** Writes what the next start of the one process on a store shall know. */
export async function saveMinutes(db: Queryable, minutes: readonly KeptMinute[]): Promise<void> {
  if (minutes.length === 0) return;
  const rows = minutes.map(({ customerId, perMinute, admittedAt }) => {
    // Rounded up: no admission may end to count before its minute is over.
    const base = Math.floor(admittedAt[0] ?? 0);
    return {
      customer_id: customerId,
      per_minute: perMinute,
      base_ms: base,
      admitted_ms: admittedAt.map((at) => Math.ceil(at) - base),
    };
  });
  // Returns nothing; the primary key finds the rows that are there.
  await db.query(
    `insert into quota_minute
     select * from jsonb_to_recordset($1::jsonb) as new (
       customer_id text, per_minute int4, base_ms int8, admitted_ms int4[])
     on conflict (customer_id) do update
       set per_minute = excluded.per_minute, base_ms = excluded.base_ms,
           admitted_ms = excluded.admitted_ms`,
    [JSON.stringify(rows)],
  );
}

/** What the last stop wrote, and takes it out: it is true once. */
export async function takeMinutes(db: Queryable): Promise<KeptMinute[]> {
  // Returns one row per customer that was admitted in the minute before the stop: one scan, at start.
  const rows = await db.query<MinuteRow>(
    `delete from quota_minute
     returning customer_id as "customerId", per_minute as "perMinute", base_ms as "baseMs",
       admitted_ms as "admittedMs"`,
  );
  return rows.map(({ customerId, perMinute, baseMs, admittedMs }) => {
    return { customerId, perMinute, admittedAt: admittedMs.map((ms) => baseMs + ms) };
  });
}
