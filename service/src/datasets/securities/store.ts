import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { Security } from './row.ts';

const SELECT = `select s.id, s.symbol, s.cik, s.name, s.exchange, s.active, s.reports,
       s.listed_at as "listedAt", s.symbols
  from security s`;

/** What was known of securities, for reads as of a past instant. */
const securityVersions = new VersionedTable<Security>({
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
  ],
});

/** Securities that a symbol meant, or had ever meant, as it was known at an instant. */
export async function loadSecuritiesAt(
  db: Queryable,
  symbol: string,
  at: Instant,
): Promise<Security[]> {
  // One row a security; by index security_version_symbols.
  const where = 'v.symbols @> $1::jsonb';
  const rows = await securityVersions.load(db, at, where, [JSON.stringify([{ symbol }])]);
  return rows.map(withSortedSpans).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Securities by id, as they stand or stood at an instant. */
export async function loadSecuritiesById(
  db: Queryable,
  ids: readonly string[],
  at: Instant | null,
): Promise<Security[]> {
  if (ids.length === 0) return [];
  // One row a security; by index security_version_current, or a scan of some ten thousand rows.
  return securityVersions.load(db, at, 'v.id = any($1::text[])', [ids]);
}

/** Securities that a symbol means or ever meant. */
export async function loadSecuritiesBySymbol(
  db: Queryable,
  symbols: Iterable<string>,
): Promise<Security[]> {
  const wanted = [...new Set(symbols)];
  if (wanted.length === 0) return [];
  // One row a security; by the primary key of security_symbol, then that of security.
  const rows = await db.query<Security & Row>(
    `${SELECT} where s.id = any(array(
       select security_id from security_symbol where symbol = any($1::text[]))) order by s.id`,
    [wanted],
  );
  return rows.map(withSortedSpans);
}

/** Securities of filers at the SEC. */
export async function loadSecuritiesByCik(
  db: Queryable,
  ciks: Iterable<string>,
): Promise<Security[]> {
  const wanted = [...new Set(ciks)];
  if (wanted.length === 0) return [];
  // One row a security; by index security_cik.
  const rows = await db.query<Security & Row>(
    `${SELECT} where s.cik = any($1::text[]) order by s.id`,
    [wanted],
  );
  return rows.map(withSortedSpans);
}

/** Which of these symbols no security is known by yet. */
export async function unknownSymbols(db: Queryable, symbols: Iterable<string>): Promise<string[]> {
  const wanted = [...new Set(symbols)];
  if (wanted.length === 0) return [];
  // The symbols without a row; by the primary key of security_symbol.
  const rows = await db.query<{ symbol: string }>(
    `select s.symbol from unnest($1::text[]) as s(symbol)
      where not exists (select 1 from security_symbol y where y.symbol = s.symbol)`,
    [wanted],
  );
  return rows.map((row) => row.symbol);
}

/** Symbols that lists ever gave to these filers. */
export async function loadFilersOf(db: Queryable, ciks: readonly string[]): Promise<string[]> {
  if (ciks.length === 0) return [];
  // One row a symbol; by index source_record_filer.
  const rows = await db.query<{ subject: string }>(
    `select distinct subject from source_record
      where dataset = 'securities' and fields->>'cik' = any($1::text[])`,
    [ciks],
  );
  return rows.map((row) => row.subject);
}

/**
 * Puts the derived securities in the place of all that the symbols meant before, and returns those
 * that are new or differ, and those that are no more. What stood before stays on record as a version.
 */
export async function replaceSecurities(
  tx: Transaction,
  derived: readonly Security[],
  symbols: readonly string[],
  now: Instant,
): Promise<{ changed: Security[]; gone: Security[] }> {
  const before = await loadSecuritiesBySymbol(tx, symbols);
  const known = new Map(before.map((security) => [security.id, JSON.stringify(security)]));
  const sorted = derived.map(withSortedSpans);
  const changed = sorted.filter((security) => known.get(security.id) !== JSON.stringify(security));
  const kept = new Set(sorted.map((security) => security.id));
  const gone = before.filter((security) => !kept.has(security.id));
  const stale = [...changed, ...gone].map((security) => security.id);
  if (stale.length === 0) return { changed: [], gone: [] };
  // Removes old spans, by index security_symbol_security, then old securities, by primary key.
  await tx.query(`delete from security_symbol where security_id = any($1::text[])`, [stale]);
  await tx.query(`delete from security where id = any($1::text[])`, [stale]);
  await securityVersions.close(tx, stale, now);
  await securityVersions.insert(tx, changed, now);
  const payload = JSON.stringify(changed);
  await tx.query(
    `insert into security (id, symbol, cik, name, exchange, active, reports, listed_at, symbols)
     select id, symbol, cik, name, exchange, active, reports, to_timestamp("listedAt" / 1000.0),
            symbols
       from jsonb_to_recordset($1::jsonb)
         as x(id text, symbol text, cik text, name text, exchange text, active bool, reports bool,
              "listedAt" float8, symbols jsonb)`,
    [payload],
  );
  await tx.query(
    `insert into security_symbol (symbol, security_id, valid_from, valid_to)
     select y.symbol, x.id, y."from", y."to"
       from jsonb_to_recordset($1::jsonb) as x(id text, symbols jsonb),
            jsonb_to_recordset(x.symbols) as y(symbol text, "from" date, "to" date)`,
    [payload],
  );
  return { changed, gone };
}

function withSortedSpans(security: Security): Security {
  const symbols = security.symbols.toSorted((a, b) =>
    `${a.from ?? ''}${a.symbol}` < `${b.from ?? ''}${b.symbol}` ? -1 : 1,
  );
  // Rebuilt in one key order, so that two securities compare as text.
  return {
    id: security.id,
    symbol: security.symbol,
    cik: security.cik,
    name: security.name,
    exchange: security.exchange,
    active: security.active,
    reports: security.reports,
    listedAt: security.listedAt,
    symbols: symbols.map(({ symbol, from, to }) => ({ symbol, from, to })),
  };
}
