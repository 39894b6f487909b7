import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { ShareSplit } from '../../domain/share-splits.ts';
import { splitDay } from '../../domain/split-day.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';

/**
 * A split revealed by restated figures: it took effect after one filing, and on or before the next.
 */
export interface FiledSplit extends ShareSplit {
  securityId: string;
  provider: string;
  feed: string;
  seenAt: Instant;
}

const COLUMNS = `f.security_id as "securityId", f.after_date as after, f.date, f.numerator,
                 f.denominator, f.provider, f.feed, f.seen_at as "seenAt"`;

type FiledRow = Omit<FiledSplit, 'ratio'> & { numerator: number; denominator: number };

/**
 * Replaces the splits revealed by these securities' filings, and dates the new ones from bars where
 * possible. Returns the symbols whose price adjustment changed.
 */
export async function recordFiledSplits(
  tx: Transaction,
  securityIds: readonly string[],
  splits: readonly FiledSplit[],
  market: MarketCalendar,
): Promise<string[]> {
  if (securityIds.length === 0) return [];
  const rows = splits.map(({ ratio, ...split }) => ({ ...split, ...ratio }));
  // Deletes splits that are no longer revealed, together with their dates. Returns the symbols.
  const removed = await tx.query<{ symbol: string }>(
    `with revealed as (
       select * from jsonb_to_recordset($2::jsonb)
         as x("securityId" text, after date, date date, numerator int8, denominator int8,
              provider text, feed text, "seenAt" float8)
     ), removed as (
       delete from filed_split f
        where f.security_id = any($1::text[])
          and not exists (select 1 from revealed t
                           where t."securityId" = f.security_id
                             and (t.after, t.date, t.numerator, t.denominator, t.provider,
                                  t.feed, to_timestamp(t."seenAt" / 1000.0))
                                 = (f.after_date, f.date, f.numerator, f.denominator, f.provider,
                                    f.feed, f.seen_at))
       returning f.*
     )
     delete from share_split s using removed g, security_symbol n
      where n.security_id = g.security_id and s.symbol = n.symbol
        and s.date > g.after_date and s.date <= g.date
        and s.provider = g.provider and s.feed = g.feed
     returning s.symbol`,
    [securityIds, JSON.stringify(rows)],
  );
  const symbols = removed.map(({ symbol }) => symbol);
  if (rows.length === 0) return symbols;
  // Inserts new splits. Returns one row per split.
  const inserted = await tx.query<FiledRow & Row>(
    `insert into filed_split as f (security_id, after_date, date, numerator, denominator, provider,
                                  feed, seen_at)
     select x."securityId", x.after, x.date, x.numerator, x.denominator, x.provider, x.feed,
            to_timestamp(x."seenAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb)
         as x("securityId" text, after date, date date, numerator int8, denominator int8,
              provider text, feed text, "seenAt" float8)
     on conflict (security_id, date) do nothing
     returning ${COLUMNS}`,
    [JSON.stringify(rows)],
  );
  return [...symbols, ...(await dateSplits(tx, inserted, market))];
}

/**
 * Dates the filed splits for these symbols near the given days again, after their bars changed.
 * Returns the symbols whose price adjustment changed.
 */
export async function dateFiledSplits(
  tx: Transaction,
  symbols: readonly string[],
  days: { from: LocalDate; to: LocalDate },
  market: MarketCalendar,
): Promise<string[]> {
  if (symbols.length === 0) return [];
  // Returns one row per split, usually few. Uses the primary key of security_symbol.
  const near = await tx.query<FiledRow & Row>(
    `select distinct ${COLUMNS}
       from filed_split f join security_symbol n on n.security_id = f.security_id
      where n.symbol = any($1::text[]) and f.after_date - 7 <= $3 and f.date >= $2`,
    [symbols, days.from, days.to],
  );
  return dateSplits(tx, near, market);
}

async function dateSplits(
  tx: Transaction,
  splits: readonly FiledRow[],
  market: MarketCalendar,
): Promise<string[]> {
  const changed: string[] = [];
  for (const split of splits) changed.push(...(await dateSplit(tx, split, market)));
  return changed;
}

async function dateSplit(
  tx: Transaction,
  split: FiledRow,
  market: MarketCalendar,
): Promise<string[]> {
  const { securityId, after, date, provider, feed, numerator, denominator, seenAt } = split;
  const dated = await findDay(tx, split, market);
  const [symbol, day] = [dated?.symbol ?? null, dated?.day ?? null];
  // Deletes a different date stored by an earlier call.
  const removed = await tx.query<{ symbol: string }>(
    ...statement(sql`
      delete from share_split s using security_symbol n
       where n.security_id = ${securityId} and s.symbol = n.symbol
         and s.date > ${after} and s.date <= ${date}
         and s.provider = ${provider} and s.feed = ${feed}
         and (s.symbol, s.date) is distinct from (${symbol}, ${day}::date)
      returning s.symbol`),
  );
  if (dated === null) return removed.map((row) => row.symbol);
  // Inserts the date unless it is already stored.
  const inserted = await tx.query<{ symbol: string }>(
    ...statement(sql`
      insert into share_split (symbol, date, provider, feed, numerator, denominator, seen_at)
      values (${symbol}, ${day}, ${provider}, ${feed}, ${numerator}, ${denominator},
              to_timestamp(${seenAt} / 1000.0))
      on conflict (symbol, date, provider, feed) do nothing
      returning symbol`),
  );
  return [...removed, ...inserted].map((row) => row.symbol);
}

/**
 * Returns the day that any source's bars show, unless a different source's bars show a different
 * day. Lists without dates are excluded, because their splits come from snapshots.
 */
async function findDay(
  tx: Transaction,
  { securityId, after, date, numerator, denominator }: FiledRow,
  market: MarketCalendar,
): Promise<{ symbol: string; day: LocalDate } | null> {
  const from = market.previousTradingDay(market.nextTradingDay(after));
  // Returns the as-traded closes around the split, oldest first. Uses the primary keys.
  const closes = await tx.query<{ symbol: string; series: string; date: LocalDate; close: string }>(
    `select b.symbol, b.symbol || ' ' || b.provider || '/' || b.feed as series, b.date, b.close
       from security_symbol n join price_bar b on b.symbol = n.symbol
      where n.security_id = $1 and b.date between $2 and $3 and b.held is null
        and b.list is null and b.basis_date = b.date
        and (n.valid_from is null or b.date >= n.valid_from)
        and (n.valid_to is null or b.date <= n.valid_to)
      order by b.date`,
    [securityId, from, date],
  );
  const split = { after, date, ratio: { numerator, denominator } };
  const days = new Map<LocalDate, string>();
  for (const series of Map.groupBy(closes, (close) => close.series).values()) {
    const day = splitDay(split, series, market);
    if (day !== null) days.set(day, series[0]?.symbol ?? '');
  }
  const [only, ...others] = days;
  return only === undefined || others.length > 0 ? null : { day: only[0], symbol: only[1] };
}
