import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/** Delays in seconds since a filing's acceptance. Null if no filing has the instant. */
export interface Delay {
  p50: number | null;
  p95: number | null;
}

/** Delays of the filings whose results were served. */
export interface FilingDelays {
  /** The filings that are counted. */
  filings: number;
  /** From acceptance until a list showed the filing. */
  seen: Delay;
  /** From acceptance until the figures were served. */
  served: Delay;
  /** From acceptance until the first webhook with them was sent, for those that had a subscriber. */
  posted: Delay;
}

export interface FilingDelayReport {
  last200: FilingDelays;
  days90: FilingDelays;
}

const DAYS_MS = 90 * 86_400_000;
const LAST_MAX = 200;

/** Loads the delays of the last 200 filings with results and of those of 90 days. */
export async function loadFilingDelays(db: Queryable, now: Instant): Promise<FilingDelayReport> {
  // Returns one row. Uses index filing_by_seen.
  const select = (filings: string) => `
    select count(*)::int4 as filings,
           percentile_cont(array[0.5, 0.95]) within group (order by seen) as seen,
           percentile_cont(array[0.5, 0.95]) within group (order by served) as served,
           percentile_cont(array[0.5, 0.95]) within group (order by posted) as posted
      from (select extract(epoch from seen_at - accepted_at)::float8 as seen,
                   extract(epoch from served_at - accepted_at)::float8 as served,
                   extract(epoch from posted_at - accepted_at)::float8 as posted
              from filing
             where is_live and served_at is not null and accepted_at is not null
               and seen_at >= to_timestamp($1 / 1000.0)
             ${filings}) f`;
  const rows = await db.query<{ filings: number; seen: Pair; served: Pair; posted: Pair }>(
    `select * from (${select(`order by seen_at desc limit ${LAST_MAX}`)}) a
      union all select * from (${select('')}) b`,
    [now - DAYS_MS],
  );
  const [last200, days90] = rows.map(({ filings, seen, served, posted }): FilingDelays => ({
    filings,
    seen: delayOf(seen),
    served: delayOf(served),
    posted: delayOf(posted),
  }));
  if (last200 === undefined || days90 === undefined) throw new Error('delays were not counted');
  return { last200, days90 };
}

type Pair = readonly [number | null, number | null] | null;

function delayOf(pair: Pair): Delay {
  const [p50, p95] = (pair ?? [null, null]).map((value) =>
    value === null ? null : Math.round(value * 10) / 10,
  );
  return { p50: p50 ?? null, p95: p95 ?? null };
}
