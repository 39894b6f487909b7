import { type Topic, topics } from '../topics.gen.ts';
import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';

/**
 * Returns the topics for quotes. A quote appears in its company's responses and on every calendar
 * day that lists the company.
 */
export function quoteTopics(symbols: readonly string[]): Topic[] {
  if (symbols.length === 0) return [];
  return [
    topics.quotes.any,
    ...symbols.flatMap((symbol) => [
      topics.profiles.symbol(symbol),
      topics.earnings.symbol(symbol),
    ]),
  ];
}

/** A symbol's newest known price and market cap; decimal text. */
export interface Quote {
  /** Null if its date is unknown. */
  price: string | null;
  priceDate: LocalDate | null;
  marketCap: string | null;
  marketCapSeenAt: Instant | null;
}

export interface IncomingQuote {
  symbol: string;
  price?: string | null;
  priceDate?: LocalDate | null;
  marketCap?: string | null;
}

/**
 * SQL condition that is true for a newer value, or for a greater value with the same observation
 * time. An unknown value is never newer.
 */
const NEWER_PRICE = `coalesce((excluded.price_seen_at, excluded.price) > (q.price_seen_at, q.price),
                              excluded.price is not null)`;
const NEWER_CAP = `coalesce((excluded.market_cap_seen_at, excluded.market_cap)
                              > (q.market_cap_seen_at, q.market_cap),
                            excluded.market_cap is not null)`;

/**
 * Stores quotes seen at `observedAt`. For each symbol the newest known value wins, regardless of
 * arrival order; if two have the same observation time, the one that sorts last wins. An unknown value
 * never replaces a known one. A price without a date is ignored. Returns the symbols whose quotes changed.
 */
export async function recordQuotes(
  tx: Transaction,
  quotes: readonly IncomingQuote[],
  observedAt: Instant,
): Promise<string[]> {
  const nonEmpty = quotes
    .map((quote) => (quote.priceDate == null ? { ...quote, price: null } : quote))
    .filter((quote) => quote.price != null || quote.marketCap != null);
  if (nonEmpty.length === 0) return [];
  // Keeps the newer price and market cap for each symbol. Returns the symbols as a single list,
  // which is faster to read than one row per symbol.
  const [result] = await tx.query<{ moved: string[] | null }>(
    `with incoming as (
       select symbol, max(price) as price, max("priceDate") as price_date,
              max("marketCap") as market_cap
         from jsonb_to_recordset($1::jsonb)
           as x(symbol text, price numeric, "priceDate" date, "marketCap" numeric)
        group by symbol
     ), moved as (
     insert into quote as q
       (symbol, price, price_date, price_seen_at, market_cap, market_cap_seen_at)
     select symbol, price, price_date,
            case when price is not null then to_timestamp($2 / 1000.0) end, market_cap,
            case when market_cap is not null then to_timestamp($2 / 1000.0) end
       from incoming
     on conflict (symbol) do update set
       price = case when ${NEWER_PRICE} then excluded.price else q.price end,
       price_date = case when ${NEWER_PRICE} then excluded.price_date else q.price_date end,
       price_seen_at =
         case when ${NEWER_PRICE} then excluded.price_seen_at else q.price_seen_at end,
       market_cap = case when ${NEWER_CAP} then excluded.market_cap else q.market_cap end,
       market_cap_seen_at =
         case when ${NEWER_CAP} then excluded.market_cap_seen_at else q.market_cap_seen_at end
     where ${NEWER_PRICE} or ${NEWER_CAP}
     returning symbol)
     select jsonb_agg(symbol) as moved from moved`,
    [JSON.stringify(nonEmpty), observedAt],
  );
  return result?.moved ?? [];
}

/**
 * Returns an SQL condition on an SQL expression for a symbol: price lists no longer contain it,
 * which means that its newest quote is over ten days older than the newest quote overall. Null for
 * a symbol without quotes. Uses the primary key and index quote_newest.
 */
export function missingFromLists(symbol: string): string {
  return `(select q.market_cap_seen_at < (select max(n.market_cap_seen_at) from quote n)
                                         - interval '10 days'
             from quote q where q.symbol = ${symbol} and q.market_cap_seen_at is not null)`;
}

/** Loads quotes by symbol. Symbols without a quote are absent. */
export async function loadQuotes(
  db: Queryable,
  symbols: readonly string[],
): Promise<Map<string, Quote>> {
  if (symbols.length === 0) return new Map();
  // Returns one row per symbol.
  const rows = await db.query<{
    symbol: string;
    price: string | null;
    price_date: LocalDate | null;
    market_cap: string | null;
    market_cap_seen_at: Instant | null;
  }>(
    `select symbol, price, price_date, market_cap, market_cap_seen_at
       from quote where symbol = any($1::text[])`,
    [symbols],
  );
  return new Map(
    rows.map((row) => [
      row.symbol,
      {
        // A price from an older release may have no date.
        price: row.price_date === null ? null : row.price,
        priceDate: row.price_date,
        marketCap: row.market_cap,
        marketCapSeenAt: row.market_cap_seen_at,
      },
    ]),
  );
}
