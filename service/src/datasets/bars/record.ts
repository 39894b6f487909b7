import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Transaction } from '../../storage/db.ts';
import type { BarObservation } from './observation.ts';

/** A bar whose session and share basis are known. */
export interface DatedBar extends BarObservation {
  date: LocalDate;
  basisDate: LocalDate;
}

export interface BarSource {
  provider: string;
  feed: string;
  /** Null for sources that date their bars; else the part of the market that the list covers. */
  list: string | null;
  observedAt: Instant;
  responseId: number;
}

/** Rows that were new, said something else than before, or neither. */
export interface BarCounts {
  new: number;
  changed: number;
  same: number;
}

/** Waits for the proof of its session; see `settle.ts`. */
export const UNPROVED = 'unproved';

const CONTENT = ['basis_date', 'open', 'high', 'low', 'close', 'previous_close', 'volume', 'list'];
const SAME = CONTENT.map((column) => `b.${column} is not distinct from excluded.${column}`).join(
  ' and ',
);
const ORDER = 'close, coalesce(volume, -1), coalesce(open, 0), coalesce(previous_close, 0)';
const STORED = ORDER.replaceAll(/\b(close|volume|open|previous_close)\b/g, 'b.$1');
const INCOMING = ORDER.replaceAll(/\b(close|volume|open|previous_close)\b/g, 'excluded.$1');

/**
 * Keeps per symbol, session and feed what was seen last, whatever the order of arrival; of two at
 * one instant the greater. A bar of an undated list is held until its session is proved. Returns
 * how many of the rows were new, said something else than before, or neither.
 */
export async function recordBars(
  tx: Transaction,
  bars: readonly DatedBar[],
  { provider, feed, list, observedAt, responseId: answerId }: BarSource,
): Promise<BarCounts> {
  if (bars.length === 0) return { new: 0, changed: 0, same: 0 };
  // Writes what is newer than stored, by the primary key, and returns one row of counts.
  const [counts] = await tx.query<{ fresh: number; changed: number }>(
    `with incoming as (
       select distinct on (symbol, date) *
         from jsonb_to_recordset($1::jsonb)
           as x(symbol text, date date, "basisDate" date, open numeric, high numeric, low numeric,
                close numeric, "previousClose" numeric, volume int8, "marketCap" numeric)
        order by symbol, date, close desc, volume desc nulls last, open desc nulls last
     ), before as (
       select b.* from price_bar b join incoming i on b.symbol = i.symbol and b.date = i.date
        where b.provider = $2 and b.feed = $3
     ), written as (
       insert into price_bar as b
         (symbol, date, provider, feed, list, basis_date, open, high, low, close, previous_close,
          volume, market_cap, held, observed_at, answer_id)
       select symbol, date, $2, $3, $4, "basisDate", open, high, low, close, "previousClose",
              volume, "marketCap", $5, to_timestamp($6 / 1000.0), $7
         from incoming
       on conflict (symbol, date, provider, feed) do update set
         held = case when ${SAME} then b.held else excluded.held end,
         list = excluded.list, basis_date = excluded.basis_date,
         open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
         previous_close = excluded.previous_close, volume = excluded.volume,
         market_cap = excluded.market_cap, observed_at = excluded.observed_at, answer_id = excluded.answer_id
       where (excluded.observed_at, ${INCOMING}) > (b.observed_at, ${STORED})
       returning b.*
     )
     select (count(*) filter (where before.symbol is null))::int4 as fresh,
            (count(*) filter (where before.symbol is not null and
              (before.close, before.volume, before.open, before.high, before.low)
                is distinct from
              (written.close, written.volume, written.open, written.high, written.low)))::int4
              as changed
       from written left join before using (symbol, date)`,
    [
      JSON.stringify(bars),
      provider,
      feed,
      list,
      list === null ? null : UNPROVED,
      observedAt,
      answerId,
    ],
  );
  const fresh = counts?.fresh ?? 0;
  const changed = counts?.changed ?? 0;
  return { new: fresh, changed, same: bars.length - fresh - changed };
}
