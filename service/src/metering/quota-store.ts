import type { CountedUse } from '../domain/quota-window-use.ts';
import type { QuotaPeriod } from '../domain/quota-window.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

interface UseRow extends Row, CountedUse {
  customerId: string;
}

const COLUMNS = `
  customer_id as "customerId", day_id as "dayId", day_count as "dayCount", per_day as "perDay",
  month_id as "monthId", month_count as "monthCount", per_month as "perMonth", generation`;

export async function loadUses(db: Queryable): Promise<Map<string, CountedUse>> {
  // Returns one row per customer that ever had a quota. Scans the table, but only at startup.
  const rows = await db.query<UseRow>(`select ${COLUMNS} from quota_use`);
  return new Map(rows.map(({ customerId, ...use }) => [customerId, use]));
}

/** Returns a customer's stored counts, or null if nothing was ever counted. */
export async function loadUse(db: Queryable, customerId: string): Promise<CountedUse | null> {
  const sql = `select ${COLUMNS} from quota_use where customer_id = $1`;
  const [row] = await db.query<UseRow>(sql, [customerId]);
  return row ?? null;
}

/**
 * Overwrites the counts of these customers in one statement, for a single process that counts in
 * memory. Skips deleted customers and rows that have been reset in the store since they were
 * loaded. Reads the values of `uses` before returning.
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
 * Moves customers whose counts are in a future day or month back to the current period with nothing
 * used. Returns the number of customers that were moved.
 */
export async function resetFutureUses(db: Queryable, period: QuotaPeriod): Promise<number> {
  // Returns the moved customers. Scans the table, but only runs manually after a clock error.
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
 * A customer's requests in the last minute before a stop, oldest first. Stored in the table of the
 * shared meter, which is empty while a local meter runs.
 */
export interface StoredMinute {
  customerId: string;
  /** The limit when the requests were admitted. */
  perMinute: number;
  admittedAt: readonly Instant[];
}

interface MinuteRow extends Row {
  customerId: string;
  perMinute: number;
  baseMs: number;
  admittedMs: number[];
}

/** Stores the last minute for the next start of a local meter. */
export async function saveMinutes(db: Queryable, minutes: readonly StoredMinute[]): Promise<void> {
  if (minutes.length === 0) return;
  const rows = minutes.map(({ customerId, perMinute, admittedAt }) => {
    // Rounds the base down and the offsets up, so that a request counts for at least a full minute.
    const base = Math.floor(admittedAt[0] ?? 0);
    return {
      customer_id: customerId,
      per_minute: perMinute,
      base_ms: base,
      admitted_ms: admittedAt.map((at) => Math.ceil(at) - base),
    };
  });
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

/** Returns and deletes the minute windows stored by the last clean stop. */
export async function takeMinutes(db: Queryable): Promise<StoredMinute[]> {
  // Returns one row per customer with requests in the minute before the stop. Scans the table, but
  // only at startup.
  const rows = await db.query<MinuteRow>(
    `delete from quota_minute
     returning customer_id as "customerId", per_minute as "perMinute", base_ms as "baseMs",
       admitted_ms as "admittedMs"`,
  );
  return rows.map(({ customerId, perMinute, baseMs, admittedMs }) => {
    return { customerId, perMinute, admittedAt: admittedMs.map((ms) => baseMs + ms) };
  });
}
