import type { CountedUse } from '../domain/quota-window-use.ts';
import type { QuotaPeriod } from '../domain/quota-window.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

/** Counts of days and months in the store. */

interface UseRow extends Row, CountedUse {
  customerId: string;
}

const COLUMNS = `
  customer_id as "customerId", day_id as "dayId", day_count as "dayCount", per_day as "perDay",
  month_id as "monthId", month_count as "monthCount", per_month as "perMonth", generation`;

export async function loadUses(db: Queryable): Promise<Map<string, CountedUse>> {
  // Returns one row per customer that ever had a quota: one scan, at start.
  const rows = await db.query<UseRow>(`select ${COLUMNS} from quota_use`);
  return new Map(rows.map(({ customerId, ...use }) => [customerId, use]));
}

/** What a customer has counted; null when nothing ever was. */
export async function loadUse(db: Queryable, customerId: string): Promise<CountedUse | null> {
  // Returns at most one row, by the primary key.
  const sql = `select ${COLUMNS} from quota_use where customer_id = $1`;
  const [row] = await db.query<UseRow>(sql, [customerId]);
  return row ?? null;
}

/**
 * Overwrites the counts of these customers in one statement: for the one process that counts them.
 * A row that was reset in the store since is left as it is, and a deleted customer has none. The
 * values are read before this returns.
 */
export async function saveUses(
  db: Queryable,
  uses: Iterable<{ customerId: string; use: CountedUse }>,
): Promise<void> {
  const rows = Array.from(uses, ({ customerId, use }) => ({
    customer_id: customerId,
    day_id: use.dayId,
    day_count: use.dayCount,
    per_day: use.perDay,
    month_id: use.monthId,
    month_count: use.monthCount,
    per_month: use.perMonth,
    generation: use.generation,
  }));
  // Returns nothing; the primary key finds the rows that are there.
  await db.query(
    `insert into quota_use
     select * from jsonb_to_recordset($1::jsonb) as new (
       customer_id text, day_id int4, day_count int4, per_day int4, month_id int4,
       month_count int4, per_month int4, generation int4)
     where not exists (select 1 from customer where customer.id = new.customer_id and deleted_at is not null)
     on conflict (customer_id) do update
       set day_id = excluded.day_id, day_count = excluded.day_count, per_day = excluded.per_day,
           month_id = excluded.month_id, month_count = excluded.month_count,
           per_month = excluded.per_month, generation = excluded.generation
       where quota_use.generation <= excluded.generation`,
    [JSON.stringify(rows)],
  );
}

/**
 * Moves customers counted in a later day or month than the present one back to it, with nothing
 * used there. Returns how many there were.
 */
export async function resetFutureUses(db: Queryable, period: QuotaPeriod): Promise<number> {
  // Returns the customers moved: a scan, run by hand after a clock was wrong.
  const rows = await db.query(
    `update quota_use
     set day_count = case when day_id > $1 then 0 else day_count end,
         day_id = least(day_id, $1),
         month_count = case when month_id > $2 then 0 else month_count end,
         month_id = least(month_id, $2),
         generation = generation + 1
     where day_id > $1 or month_id > $2
     returning customer_id`,
    [period.dayId, period.monthId],
  );
  return rows.length;
}

/**
 * The admissions of a customer in the minute before a stop, oldest first: in the table that several
 * processes on one store work in, which the one process alone leaves empty while it runs.
 */
export interface StoredMinute {
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
export async function saveMinutes(db: Queryable, minutes: readonly StoredMinute[]): Promise<void> {
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
export async function takeMinutes(db: Queryable): Promise<StoredMinute[]> {
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
