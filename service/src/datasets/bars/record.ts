import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Transaction } from '../../storage/db.ts';
import { Sql, sql, statement } from '../../storage/sql.ts';
import type { BarObservation } from './observation.ts';

/** A bar with a known session and share basis. */
export interface DatedBar extends BarObservation {
  date: LocalDate;
  basisDate: LocalDate;
}

export interface BarSource {
  provider: string;
  feed: string;
  /** The market segment that the list covers; null for feeds with dated bars. */
  list: string | null;
  observedAt: Instant;
  responseId: number;
}

/** Number of new, changed and unchanged rows. */
export interface BarCounts {
  new: number;
  changed: number;
  same: number;
}

/** The bar's session has not been verified yet; see `reconcile.ts`. */
export const UNVERIFIED = 'unproved';

const CONTENT = ['basis_date', 'open', 'high', 'low', 'close', 'previous_close', 'volume', 'list'];
const IS_SAME = fixed(
  CONTENT.map((column) => `b.${column} is not distinct from excluded.${column}`).join(' and '),
);
const ORDER = 'close, coalesce(volume, -1), coalesce(open, 0), coalesce(previous_close, 0)';
const STORED = fixed(ORDER.replaceAll(/\b(close|volume|open|previous_close)\b/g, 'b.$1'));
const INCOMING = fixed(ORDER.replaceAll(/\b(close|volume|open|previous_close)\b/g, 'excluded.$1'));

/** Wraps constant SQL text that contains no values. */
function fixed(text: string): Sql {
  return new Sql([text], []);
}

/**
 * Stores bars. For each symbol, session and feed the latest observation wins, regardless of arrival
 * order; if two have the same observation time, the one that sorts last wins. Bars from an undated list are
 * quarantined until their session is verified.
 */
export async function recordBars(
  tx: Transaction,
  bars: readonly DatedBar[],
  { provider, feed, list, observedAt, responseId }: BarSource,
): Promise<BarCounts> {
  if (bars.length === 0) return { new: 0, changed: 0, same: 0 };
  const quarantineReason = list === null ? null : UNVERIFIED;
  // Writes bars that are newer than the stored ones. Returns one row with the counts.
  const [counts] = await tx.query<{ inserted: number; changed: number }>(
    ...statement(sql`
      with incoming as (
        select distinct on (symbol, date) *
          from jsonb_to_recordset(${JSON.stringify(bars)}::jsonb)
            as x(symbol text, date date, "basisDate" date, open numeric, high numeric, low numeric,
                 close numeric, "previousClose" numeric, volume int8, "marketCap" numeric)
         order by symbol, date, close desc, volume desc nulls last, open desc nulls last
      ), before as (
        select b.* from price_bar b join incoming i on b.symbol = i.symbol and b.date = i.date
         where b.provider = ${provider} and b.feed = ${feed}
      ), written as (
        insert into price_bar as b
          (symbol, date, provider, feed, list, basis_date, open, high, low, close, previous_close,
           volume, market_cap, held, observed_at, answer_id)
        select symbol, date, ${provider}, ${feed}, ${list}, "basisDate", open, high, low, close,
               "previousClose", volume, "marketCap", ${quarantineReason}, to_timestamp(${observedAt} / 1000.0),
               ${responseId}
          from incoming
        on conflict (symbol, date, provider, feed) do update set
          held = case when ${IS_SAME} then b.held else excluded.held end,
          list = excluded.list, basis_date = excluded.basis_date,
          open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
          previous_close = excluded.previous_close, volume = excluded.volume,
          market_cap = excluded.market_cap, observed_at = excluded.observed_at,
          answer_id = excluded.answer_id
        where (excluded.observed_at, ${INCOMING}) > (b.observed_at, ${STORED})
        returning b.*
      )
      select (count(*) filter (where before.symbol is null))::int4 as inserted,
             (count(*) filter (where before.symbol is not null and
               (before.close, before.volume, before.open, before.high, before.low)
                 is distinct from
               (written.close, written.volume, written.open, written.high, written.low)))::int4
               as changed
        from written left join before using (symbol, date)`),
  );
  const inserted = counts?.inserted ?? 0;
  const changed = counts?.changed ?? 0;
  return { new: inserted, changed, same: bars.length - inserted - changed };
}
