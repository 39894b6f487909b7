import type { ReadLimits } from '../domain/plan.ts';
import type { Cost, QuotaPeriod } from '../domain/quota-window.ts';
import type { Receipt, UseReading } from '../domain/quota-window-use.ts';
import type { Queryable, Row } from '../storage/db.ts';

export interface SharedRequest {
  customerId: string;
  plan: ReadLimits;
  cost: Cost;
  period: QuotaPeriod;
  /** Time to use instead of the server's clock. Null uses the server's clock. */
  atMs: number | null;
}

/** The store's decision about one request, and the counts after the decision. */
export interface SharedDecision {
  isAdmitted: boolean;
  reading: UseReading;
  receipt: Receipt;
}

/**
 * Checks each request against every window it costs, in one round trip and one commit. Returns the
 * decisions in request order. Locks customers in id order, so that processes with the same
 * customers never deadlock.
 */
export async function consumeShared(
  db: Queryable,
  requests: readonly SharedRequest[],
): Promise<SharedDecision[]> {
  const rows = requests.map(({ customerId, plan, cost, period, atMs }, index) => ({
    index,
    customer: customerId,
    costs_all: cost === 'all',
    minute_limit: plan.perMinute,
    day_limit: plan.perDay,
    month_limit: plan.perMonth,
    today: period.dayId,
    this_month: period.monthId,
    at_ms: atMs === null ? null : Math.floor(atMs),
  }));
  // Returns one row per request, using two primary keys for each.
  const decisionRows = await db.query<DecisionRow>(
    `select index, decision.*
     from (
       select * from jsonb_to_recordset($1::jsonb) as request (
         index int4, customer text, costs_all boolean, minute_limit int4, day_limit int4,
         month_limit int4, today int4, this_month int4, at_ms int8)
       order by customer, index
     ) request
     cross join lateral take_quota(customer, costs_all, minute_limit, day_limit, month_limit,
                                   today, this_month, at_ms) decision`,
    [JSON.stringify(rows)],
  );
  const decisions: SharedDecision[] = [];
  for (const row of decisionRows) decisions[row.index] = decisionOf(row);
  return decisions;
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
  admitted: boolean;
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
    isAdmitted: row.admitted,
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
