import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { ShareSplit } from '../../domain/share-splits.ts';
import { splitDay } from '../../domain/split-day.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';

/** A split that refiled figures reveal: after one filing, on or before another. */
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
 * Notes the splits that the filings of these securities reveal, in place of those noted before, and
 * dates them where bars show the day. Returns the symbols whose prices are counted otherwise now.
 */
export async function recordFiledSplits(
  tx: Transaction,
  securityIds: readonly string[],
  splits: readonly FiledSplit[],
  market: MarketCalendar,
): Promise<string[]> {
  if (securityIds.length === 0) return [];
  const rows = splits.map(({ ratio, ...split }) => ({ ...split, ...ratio }));
  // Removes what is not revealed any more, and its day; by the primary keys.
  const gone = await tx.query<{ symbol: string }>(
    `with told as (
       select * from jsonb_to_recordset($2::jsonb)
         as x("securityId" text, after date, date date, numerator int8, denominator int8,
              provider text, feed text, "seenAt" float8)
     ), gone as (
       delete from filed_split f
        where f.security_id = any($1::text[])
          and not exists (select 1 from told t
                           where t."securityId" = f.security_id
                             and (t.after, t.date, t.numerator, t.denominator, t.provider,
                                  t.feed, to_timestamp(t."seenAt" / 1000.0))
                                 = (f.after_date, f.date, f.numerator, f.denominator, f.provider,
                                    f.feed, f.seen_at))
       returning f.*
     )
     delete from share_split s using gone g, security_symbol n
      where n.security_id = g.security_id and s.symbol = n.symbol
        and s.date > g.after_date and s.date <= g.date
        and s.provider = g.provider and s.feed = g.feed
     returning s.symbol`,
    [securityIds, JSON.stringify(rows)],
  );
  const symbols = gone.map(({ symbol }) => symbol);
  if (rows.length === 0) return symbols;
  // Adds what is new, by the primary key; returns a row for each of these.
  const added = await tx.query<FiledRow & Row>(
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
  return [...symbols, ...(await dateSplits(tx, added, market))];
}

/**
 * Dates anew the revealed splits of these symbols near those days: their bars moved. Returns the
 * symbols whose prices are counted otherwise now.
 */
export async function dateFiledSplits(
  tx: Transaction,
  symbols: readonly string[],
  days: { from: LocalDate; to: LocalDate },
  market: MarketCalendar,
): Promise<string[]> {
  if (symbols.length === 0) return [];
  // A row a split, of few; the symbols by the primary key of security_symbol.
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
  const moved: string[] = [];
  for (const split of splits) moved.push(...(await dateSplit(tx, split, market)));
  return moved;
}

async function dateSplit(
  tx: Transaction,
  split: FiledRow,
  market: MarketCalendar,
): Promise<string[]> {
  const { securityId, after, date, provider, feed, numerator, denominator, seenAt } = split;
  const found = await findDay(tx, split, market);
  // Removes another day that was found before; by the primary keys.
  const gone = await tx.query<{ symbol: string }>(
    `delete from share_split s using security_symbol n
      where n.security_id = $1 and s.symbol = n.symbol and s.date > $2 and s.date <= $3
        and s.provider = $4 and s.feed = $5
        and (s.symbol, s.date) is distinct from ($6, $7::date)
     returning s.symbol`,
    [securityId, after, date, provider, feed, found?.symbol ?? null, found?.day ?? null],
  );
  if (found === null) return gone.map(({ symbol }) => symbol);
  // Adds the day unless it stands; by the primary key.
  const added = await tx.query<{ symbol: string }>(
    `insert into share_split (symbol, date, provider, feed, numerator, denominator, seen_at)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
     on conflict (symbol, date, provider, feed) do nothing
     returning symbol`,
    [found.symbol, found.day, provider, feed, numerator, denominator, seenAt],
  );
  return [...gone, ...added].map(({ symbol }) => symbol);
}

/**
 * The day that the bars of any source show, when no other source shows another. Lists without dates
 * are left out: they tell their splits by themselves.
 */
async function findDay(
  tx: Transaction,
  { securityId, after, date, numerator, denominator }: FiledRow,
  market: MarketCalendar,
): Promise<{ symbol: string; day: LocalDate } | null> {
  const from = market.previousTradingDay(market.nextTradingDay(after));
  // The closes around the split as traded, oldest first; by the primary keys.
  const closes = await tx.query<{ symbol: string; of: string; date: LocalDate; close: string }>(
    `select b.symbol, b.symbol || ' ' || b.provider || '/' || b.feed as of, b.date, b.close
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
  for (const of of Map.groupBy(closes, (close) => close.of).values()) {
    const day = splitDay(split, of, market);
    if (day !== null) days.set(day, of[0]?.symbol ?? '');
  }
  const [only, ...others] = days;
  return only === undefined || others.length > 0 ? null : { day: only[0], symbol: only[1] };
}
