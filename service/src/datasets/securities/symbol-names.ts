import { newYorkDate } from '../../domain/new-york.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareBy } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import type { ProfileObservation } from '../profiles/observation.ts';
import { loadHistories } from '../source-records/load.ts';

/** A company name that sources gave for a symbol, with the first and last time. */
export interface SymbolName {
  symbol: string;
  name: string;
  from: Instant;
  to: Instant;
}

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

/** Loads the company names of symbols from the profiles of all sources, oldest first. */
export async function loadSymbolNames(
  db: Queryable,
  symbols: readonly string[],
): Promise<SymbolName[]> {
  const histories = await loadHistories<ProfileObservation>(db, 'profiles', symbols);
  const names = new Map<string, SymbolName>();
  for (const { entityKey: symbol, observations } of histories) {
    for (const { at, fields } of observations) {
      const name = fields.companyName?.trim();
      if (name === undefined || name === '' || at <= 0) continue;
      const key = `${symbol}\n${name}`;
      const { from, to } = names.get(key) ?? { from: at, to: at };
      names.set(key, { symbol, name, from: Math.min(from, at), to: Math.max(to, at) });
    }
  }
  return [...names.values()].toSorted(
    (a, b) => a.from - b.from || compareBy<SymbolName>(({ name }) => name)(a, b),
  );
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
