import { compareBy } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { Security } from './row.ts';

const SELECT = `select s.id, s.symbol, s.cik, s.name, s.exchange, s.active, s.reports,
       s.listed_at as "listedAt", s.symbols,
       s.former_ciks as "formerCiks"
  from security s`;

/** Versions of securities, used to read the state as of an instant. */
export const securityVersions = new VersionedTable<Security>({
  table: 'security_version',
  key: ['id', 'id'],
  columns: [
    ['id', 'id', 'text'],
    ['symbol', 'symbol', 'text'],
    ['cik', 'cik', 'text'],
    ['name', 'name', 'text'],
    ['exchange', 'exchange', 'text'],
    ['active', 'active', 'bool'],
    ['reports', 'reports', 'bool'],
    ['listed_at', 'listedAt', 'timestamptz'],
    ['symbols', 'symbols', 'jsonb'],
    ['former_ciks', 'formerCiks', 'jsonb'],
  ],
});

/** Loads securities that had one of the symbols at any time, as known at an instant. */
export async function loadSecuritiesAt(
  db: Queryable,
  symbols: readonly string[],
  at: Instant,
): Promise<Security[]> {
  // Returns one row per security. Uses index security_version_symbols.
  const where = 'v.symbols @> any($1::jsonb[])';
  const patterns = symbols.map((symbol) => JSON.stringify([{ symbol }]));
  const rows = await securityVersions.load(db, at, where, [patterns]);
  return rows.map(withSortedSpans).sort(compareBy(({ id }) => id));
}

/** Loads securities by id, either current or as of an instant. */
export async function loadSecuritiesById(
  db: Queryable,
  ids: readonly string[],
  at: Instant | null,
): Promise<Security[]> {
  if (ids.length === 0) return [];
  // Returns one row per security. Uses index security_version_current, or scans some ten thousand
  // rows.
  const rows = await securityVersions.load(db, at, 'v.id = any($1::text[])', [ids]);
  return rows.map(withSortedSpans);
}

/** Loads securities that have or had one of the symbols. */
export async function loadSecuritiesBySymbol(
  db: Queryable,
  symbols: Iterable<string>,
): Promise<Security[]> {
  const distinct = [...new Set(symbols)];
  if (distinct.length === 0) return [];
  // Returns one row per security. Uses the primary keys of security_symbol and security.
  const rows = await db.query<Security & Row>(
    `${SELECT} where s.id = any(array(
       select security_id from security_symbol where symbol = any($1::text[]))) order by s.id`,
    [distinct],
  );
  return rows.map(withSortedSpans);
}

/** Loads the securities of SEC filers, including those that have another filer now. */
export async function loadSecuritiesByCik(
  db: Queryable,
  ciks: Iterable<string>,
): Promise<Security[]> {
  const distinct = [...new Set(ciks)];
  if (distinct.length === 0) return [];
  // Returns one row per security. Uses indexes security_cik and security_former_ciks.
  const rows = await db.query<Security & Row>(
    `${SELECT} where s.cik = any($1::text[]) or s.former_ciks ?| $1::text[] order by s.id`,
    [distinct],
  );
  return rows.map(withSortedSpans);
}

/** Returns the symbols that no security has ever had. */
export async function unknownSymbols(db: Queryable, symbols: Iterable<string>): Promise<string[]> {
  const distinct = [...new Set(symbols)];
  if (distinct.length === 0) return [];
  // Returns one row per unknown symbol. Uses the primary key of security_symbol.
  const rows = await db.query<{ symbol: string }>(
    `select s.symbol from unnest($1::text[]) as s(symbol)
      where not exists (select 1 from security_symbol y where y.symbol = s.symbol)`,
    [distinct],
  );
  return rows.map((row) => row.symbol);
}

/** Returns the names of all exchanges with active securities. */
export async function loadExchangeNames(db: Queryable): Promise<string[]> {
  // Scans some ten thousand rows.
  const rows = await db.query<{ exchange: string }>(
    `select distinct exchange from security where active and exchange is not null`,
  );
  return rows.map(({ exchange }) => exchange);
}

/**
 * Returns the symbols that several companies or filers had, or a company that changed its name or
 * shares it with another symbol: new evidence may show that they refer to another company.
 */
export async function disputedSymbols(db: Queryable, symbols: Iterable<string>): Promise<string[]> {
  const distinct = [...new Set(symbols)];
  if (distinct.length === 0) return [];
  // Returns one row per symbol. Uses the primary keys of security_symbol and security.
  const rows = await db.query<{ symbol: string }>(
    `select y.symbol
       from security_symbol y join security s on s.id = y.security_id
      where y.symbol = any($1::text[])
      group by y.symbol
     having count(*) > 1
         or bool_or(s.former_ciks <> '[]' or s.symbols @> '[{"isCompanyRenamed": true}]'
                    or s.symbols @> '[{"hasNamesake": true}]')
      order by y.symbol`,
    [distinct],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Returns all symbols that lists have ever assigned to these filers. */
export async function loadFilersOf(db: Queryable, ciks: readonly string[]): Promise<string[]> {
  if (ciks.length === 0) return [];
  // Returns one row per symbol. Uses index source_record_filer.
  const rows = await db.query<{ subject: string }>(
    `select distinct subject from source_record
      where dataset = 'securities' and fields->>'cik' = any($1::text[])`,
    [ciks],
  );
  return rows.map((row) => row.subject);
}

/**
 * Replaces all securities that ever had the symbols with the derived ones. Returns new, changed and
 * removed securities. Previous values remain as versions.
 */
export async function replaceSecurities(
  tx: Transaction,
  derived: readonly Security[],
  symbols: readonly string[],
  now: Instant,
): Promise<{ changed: Security[]; removed: Security[] }> {
  const before = await loadSecuritiesBySymbol(tx, symbols);
  const previous = new Map(before.map((security) => [security.id, JSON.stringify(security)]));
  const sorted = derived.map(withSortedSpans);
  const changed = sorted.filter(
    (security) => previous.get(security.id) !== JSON.stringify(security),
  );
  const stored = new Set(sorted.map((security) => security.id));
  const removed = before.filter((security) => !stored.has(security.id));
  const stale = [...changed, ...removed].map((security) => security.id);
  if (stale.length === 0) return { changed: [], removed: [] };
  // Deletes old periods, using index security_symbol_security, then old securities.
  await tx.query(`delete from security_symbol where security_id = any($1::text[])`, [stale]);
  await tx.query(`delete from security where id = any($1::text[])`, [stale]);
  await securityVersions.close(tx, stale, now);
  await securityVersions.insert(tx, changed, now);
  const payload = JSON.stringify(changed);
  await tx.query(
    `insert into security (id, symbol, cik, name, exchange, active, reports, listed_at, symbols,
                           former_ciks)
     select id, symbol, cik, name, exchange, active, reports, to_timestamp("listedAt" / 1000.0),
            symbols, "formerCiks"
       from jsonb_to_recordset($1::jsonb)
         as x(id text, symbol text, cik text, name text, exchange text, active bool, reports bool,
              "listedAt" float8, symbols jsonb, "formerCiks" jsonb)`,
    [payload],
  );
  await tx.query(
    `insert into security_symbol (symbol, security_id, valid_from, valid_to)
     select y.symbol, x.id, y."from", y."to"
       from jsonb_to_recordset($1::jsonb) as x(id text, symbols jsonb),
            jsonb_to_recordset(x.symbols) as y(symbol text, "from" date, "to" date)`,
    [payload],
  );
  return { changed, removed };
}

function withSortedSpans(security: Security): Security {
  const symbols = security.symbols.toSorted(
    compareBy(({ from, symbol }) => `${from ?? ''}${symbol}`),
  );
  // The keys are always in the same order, so that securities can be compared as text.
  return {
    id: security.id,
    symbol: security.symbol,
    cik: security.cik,
    name: security.name,
    exchange: security.exchange,
    active: security.active,
    reports: security.reports,
    listedAt: security.listedAt,
    symbols: symbols.map(
      ({ symbol, from, to, names, isCompanyRenamed, hasNamesake, earlierId }) => ({
        symbol,
        from,
        to,
        ...(names === undefined ? {} : { names }),
        ...(isCompanyRenamed === undefined ? {} : { isCompanyRenamed }),
        ...(hasNamesake === undefined ? {} : { hasNamesake }),
        ...(earlierId === undefined
          ? {}
          : { earlierId: { id: earlierId.id, until: earlierId.until } }),
      }),
    ),
    formerCiks: security.formerCiks,
  };
}
