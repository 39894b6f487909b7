import type { ReadLimits } from '../domain/plan.ts';
import type { Cost, QuotaPeriod } from '../domain/quota-window.ts';
import type { Receipt, UseReading } from '../domain/quota-window-use.ts';
import type { CommitJournal, JournalEntry } from '../storage/commit-journal.ts';
import type { Queryable, Row } from '../storage/db.ts';

/** Time for which a process may use a block. */
export const BLOCK_HOLD_MS = 5_000;

/** Requests of one customer with the same plan, cost and period. */
export interface SharedRequests {
  customerId: string;
  plan: ReadLimits;
  cost: Cost;
  period: QuotaPeriod;
  /** Time to use instead of the server's clock. Null uses the server's clock. */
  atMs: number | null;
  /** Number of requests. With 0, the call only leases a block. */
  units: number;
  /** The block to lease beyond these requests. */
  lease: { token: string; extra: number; percent: number } | null;
  /** The process's last block for the customer, which ends with this call. */
  returned: ReturnedBlock | null;
}

/** A block that a process no longer uses. */
export interface ReturnedBlock {
  token: string;
  /** Milliseconds since the first request that the block admitted. */
  firstAgeMs: number;
  /** Milliseconds between the first request and each one, ascending. */
  usedMs: readonly number[];
  /** Units of the day and month that were not used. */
  unused: number;
}

/** The store's decision about a call, and the counts after the decision. */
export interface SharedDecision {
  /** Number of admitted requests. If it is lower than requested, a window is full. */
  admitted: number;
  /** Units in the new block. They are part of the counts. */
  leased: number;
  /** Milliseconds until the last block of another process is returned. 0 if there is none. */
  heldMs: number;
  reading: UseReading;
  receipt: Receipt;
}

/**
 * Checks requests against every window they cost, in one round trip and one commit. Returns the
 * decisions in the order of the calls. Locks customers in id order, so that processes with the same
 * customers never deadlock.
 */
export async function consumeShared(
  db: Queryable,
  calls: readonly SharedRequests[],
  journal: CommitJournal | null = null,
): Promise<SharedDecision[]> {
  const rows = calls.map((call, index) => ({
    index,
    customer: call.customerId,
    units: call.units,
    costs_all: call.cost === 'all',
    minute_limit: call.plan.perMinute,
    day_limit: call.plan.perDay,
    month_limit: call.plan.perMonth,
    today: call.period.dayId,
    this_month: call.period.monthId,
    at_ms: call.atMs === null ? null : Math.floor(call.atMs),
    block: call.lease?.token,
    extra: call.lease?.extra ?? 0,
    percent: call.lease?.percent ?? 0,
    hold_ms: BLOCK_HOLD_MS,
    returned: call.returned?.token,
    first_age_ms: call.returned?.firstAgeMs,
    used_ms: call.returned?.usedMs,
    unused: call.returned?.unused,
  }));
  // Returns one row per call, using two primary keys and an index that starts with the customer. The
  // sort needs the mark first, so no customer is locked while this waits for it.
  const decisionRows = await db.query<DecisionRow>(
    `${journal === null ? '' : `with marked as (${NEXT_MARK})`}
     select index, mark, decision.*
     from (
       select * from jsonb_to_recordset($1::jsonb) as request (
         index int4, customer text, units int4, costs_all boolean, minute_limit int4,
         day_limit int4, month_limit int4, today int4, this_month int4, at_ms int8, block text,
         extra int4, percent int4, hold_ms int4, returned text, first_age_ms int4,
         used_ms int4[], unused int4)
       cross join ${journal === null ? '(select 0::int8 as mark) as marked' : 'marked'}
       order by customer, index
     ) request
     cross join lateral take_quota(customer, units, costs_all, minute_limit, day_limit, month_limit,
                                   today, this_month, at_ms, block, extra, percent, hold_ms,
                                   returned, first_age_ms, used_ms, unused) decision`,
    [JSON.stringify(rows), ...(journal === null ? [] : [journal.process])],
  );
  journal?.add(decisionRows.flatMap((row) => countEntry(calls[row.index], row)));
  const decisions: SharedDecision[] = [];
  for (const row of decisionRows) decisions[row.index] = decisionOf(row);
  return decisions;
}

const NEXT_MARK = `
  insert into quota_commit (process, mark, changed_at) values ($2, 1, now())
  on conflict (process) do update set mark = quota_commit.mark + 1, changed_at = now()
  returning mark`;

/** Deletes the marks of processes that ended long ago. */
export async function deleteOldMarks(db: Queryable): Promise<void> {
  // Scans the table, which has a row per process.
  await db.query(`delete from quota_commit where changed_at < now() - interval '1 day'`);
}

/** Describes what a call has counted. */
function countEntry(call: SharedRequests | undefined, row: DecisionRow): JournalEntry[] {
  const units = row.admitted + row.leased;
  if (call === undefined || units === 0) return [];
  const { customerId, plan } = call;
  const { perDay, perMonth } = plan;
  const { mark, day_id: dayId, month_id: monthId, generation } = row;
  return [{ kind: 'count', mark, customerId, units, dayId, monthId, generation, perDay, perMonth }];
}

/** Ends blocks, in one commit. A block that has ended already stays as it is. */
export async function returnBlocks(
  db: Queryable,
  blocks: readonly (ReturnedBlock & { customerId: string })[],
  atMs: number | null,
): Promise<void> {
  const rows = blocks.map(({ customerId, token, firstAgeMs, usedMs, unused }) => {
    return { customer: customerId, token, first_age_ms: firstAgeMs, used_ms: usedMs, unused };
  });
  await db.query(
    `select return_quota_block(customer, token, first_age_ms, used_ms, unused, $2)
     from (
       select * from jsonb_to_recordset($1::jsonb) as block (
         customer text, token text, first_age_ms int4, used_ms int4[], unused int4)
       order by customer
     ) block`,
    [JSON.stringify(rows), atMs === null ? null : Math.floor(atMs)],
  );
}

/** Refunds a request's day and month counts, unless those windows were reset. */
export async function refundShared(
  db: Queryable,
  customerId: string,
  { dayId, monthId, generation }: Receipt,
): Promise<void> {
  const params = [customerId, dayId, monthId, generation];
  await db.query('select refund_quota($1, $2, $3, $4)', params);
}

interface DecisionRow extends Row {
  index: number;
  mark: number;
  admitted: number;
  leased: number;
  held_ms: number;
  minute_used: number;
  minute_free_ms: number;
  day_id: number;
  day_used: number;
  month_id: number;
  month_used: number;
  generation: number;
}

function decisionOf(row: DecisionRow): SharedDecision {
  return {
    admitted: row.admitted,
    leased: row.leased,
    heldMs: row.held_ms,
    reading: {
      minuteUsed: row.minute_used,
      minuteFreeMs: row.minute_free_ms,
      dayId: row.day_id,
      dayUsed: row.day_used,
      monthId: row.month_id,
      monthUsed: row.month_used,
    },
    receipt: { dayId: row.day_id, monthId: row.month_id, generation: row.generation },
  };
}
