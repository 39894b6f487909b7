import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';

/** Price and market capitalization of a symbol on one day. */
export interface Size {
  close: number;
  marketCap: number;
}

/** Returns the size of a symbol on the last day until, or the first day since, an instant. */
export interface Sizes {
  until(symbol: string, at: Instant): Size | null;
  since(symbol: string, at: Instant): Size | null;
}

export const NO_SIZES: Sizes = { until: () => null, since: () => null };

/** Largest factor between two sizes of one company whose name changed. */
const CONTINUOUS = { marketCap: 2, close: 2.5 };
/**
 * Smallest factors between the sizes of two companies: in shares, in market capitalization, and in
 * market capitalization if the company may have split or combined its shares in between.
 */
const CONTRADICTORY = { shares: 4, marketCap: 4, marketCapWithSplit: 12 };

/** Returns whether both sizes may be of one company whose name changed. False if one is unknown. */
export function isContinuous(before: Size | null, after: Size | null): boolean {
  if (before === null || after === null) return false;
  return (
    factor(before.marketCap, after.marketCap) <= CONTINUOUS.marketCap &&
    factor(before.close, after.close) <= CONTINUOUS.close
  );
}

/** Returns whether the sizes prove two companies. False if one is unknown. */
export function isContradictory(before: Size | null, after: Size | null): boolean {
  if (before === null || after === null) return false;
  const shares = factor(before.marketCap / before.close, after.marketCap / after.close);
  const hasGrown = after.marketCap > before.marketCap;
  const maybeSplit = !hasGrown || before.close / after.close > CONTINUOUS.close;
  const marketCap = maybeSplit ? CONTRADICTORY.marketCapWithSplit : CONTRADICTORY.marketCap;
  return shares > CONTRADICTORY.shares && factor(before.marketCap, after.marketCap) > marketCap;
}

function factor(a: number, b: number): number {
  return Math.max(a, b) / Math.min(a, b);
}

/** Loads the sizes of symbols around instants. */
export async function loadSizes(
  db: Queryable,
  boundaries: readonly { symbol: string; at: Instant }[],
): Promise<Sizes> {
  if (boundaries.length === 0) return NO_SIZES;
  const days = new Map(
    boundaries.map(({ symbol, at }) => [keyOf(symbol, at), { symbol, day: newYorkDate(at) }]),
  );
  const requested = new Recordset({ symbol: 'text', day: 'text' }, [...days.values()]);
  // Returns one row per boundary. Uses the primary key of price_bar, twice per row.
  const rows = await db.query<SizeRow>(
    ...statement(sql`
      select x.symbol, x.day, u.close::float8 as "closeUntil", u.market_cap::float8 as "capUntil",
             s.close::float8 as "closeSince", s.market_cap::float8 as "capSince"
        from ${requested.as('x')}
        left join lateral (
          select close, market_cap from price_bar b
           where b.symbol = x.symbol and b.date <= x.day::date and b.market_cap > 0
           order by b.date desc, b.provider, b.feed limit 1) u on true
        left join lateral (
          select close, market_cap from price_bar b
           where b.symbol = x.symbol and b.date >= x.day::date and b.market_cap > 0
           order by b.date, b.provider, b.feed limit 1) s on true`),
  );
  const byKey = new Map(rows.map((row) => [`${row.symbol}\n${row.day}`, row]));
  return {
    until: (symbol, at) => {
      const row = byKey.get(keyOf(symbol, at));
      return sizeOf(row?.closeUntil, row?.capUntil);
    },
    since: (symbol, at) => {
      const row = byKey.get(keyOf(symbol, at));
      return sizeOf(row?.closeSince, row?.capSince);
    },
  };
}

interface SizeRow extends Record<string, unknown> {
  symbol: string;
  day: LocalDate;
  closeUntil: number | null;
  capUntil: number | null;
  closeSince: number | null;
  capSince: number | null;
}

function sizeOf(close: number | null = null, marketCap: number | null = null): Size | null {
  return close === null || marketCap === null ? null : { close, marketCap };
}

function keyOf(symbol: string, at: Instant): string {
  return `${symbol}\n${newYorkDate(at)}`;
}
