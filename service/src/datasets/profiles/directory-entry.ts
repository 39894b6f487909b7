import { exchangeOf } from '../../domain/exchange.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import type { SecurityTag, SecurityType } from '../../domain/security-type.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { isListed } from '../securities/listed.ts';
import type { SymbolSpan } from '../securities/row.ts';

/** A listed or delisted security, as a search shows it. */
export interface DirectoryEntry {
  securityId: string;
  symbol: string;
  /** Issuer; null if no source names it. */
  name: string | null;
  cik: string | null;
  exchange: string | null;
  mic: string | null;
  type: SecurityType;
  tags: readonly SecurityTag[];
  /** True if it is still listed. */
  active: boolean;
  formerSymbols: readonly { symbol: string; until: LocalDate }[];
  formerNames: readonly string[];
  /** All symbols that it ever had. */
  symbols: readonly string[];
  /** Time of the newest observation of any of these values; null if unknown. */
  seenAt: Instant | null;
}

/** Small enough that other statements of an embedded store need not wait long. */
const CHUNK_ROWS = 500;

/** Loads all securities. */
export async function loadDirectoryEntries(db: Queryable): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  let last = '';
  for (;;) {
    // Returns at most 500 rows. Uses the primary key of security.
    const rows = await db.query<EntryRow>(
      `${SELECT} where company.id > $1 order by company.id limit ${CHUNK_ROWS}`,
      [last],
    );
    entries.push(...rows.map(entryOf));
    if (rows.length < CHUNK_ROWS) return entries;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Loads the securities that have or had one of the symbols. */
export async function loadDirectoryEntriesOf(
  db: Queryable,
  symbols: readonly string[],
): Promise<DirectoryEntry[]> {
  // Returns one row per security. Uses the primary keys of security_symbol and security.
  const rows = await db.query<EntryRow>(
    `${SELECT} where company.id = any(array(
       select security_id from security_symbol where symbol = any($1::text[])))`,
    [symbols],
  );
  return rows.map(entryOf);
}

interface EntryRow extends Row {
  id: string;
  symbol: string;
  name: string | null;
  cik: string | null;
  exchange: string | null;
  listedAt: Instant | null;
  symbols: SymbolSpan[];
  active: boolean;
  fields: {
    companyName: string | null;
    cik: string | null;
    exchange: string | null;
    type: SecurityType;
    tags: SecurityTag[];
    formerSymbols: { symbol: string; until: LocalDate }[];
  } | null;
  updatedAt: Instant | null;
  filedNames: string[] | null;
}

/** Uses index profile_current and the unique key of source_record for each security. */
const SELECT = `
  select company.id, company.symbol, company.name, company.cik, company.exchange,
         company.listed_at as "listedAt", company.symbols, ${isListed('company')} as active,
         p.updated_at as "updatedAt",
         case when p.security_id is not null then jsonb_build_object(
           'companyName', p.fields->'companyName', 'cik', p.fields->'cik',
           'exchange', p.fields->'exchange', 'type', p.fields->'type',
           'tags', p.fields->'tags', 'formerSymbols', p.fields->'formerSymbols') end as fields,
         (select jsonb_agg(distinct f.name)
            from source_record r
           cross join jsonb_to_recordset(r.fields->'formerNames') as f(name text)
           where r.dataset = 'profiles' and r.subject = 'CIK' || company.cik
             and jsonb_array_length(r.fields->'formerNames') > 0) as "filedNames"
    from security company
    left join profile p on p.security_id = company.id and p.known_to is null`;

function entryOf(row: EntryRow): DirectoryEntry {
  const { id, symbol, fields, symbols, filedNames } = row;
  const names = [...symbols.flatMap((span) => span.names ?? []), ...(filedNames ?? [])];
  const listedOn = fields?.exchange ?? row.exchange;
  const exchange = listedOn === null ? null : exchangeOf(listedOn);
  const seenAt = Math.max(row.listedAt ?? 0, row.updatedAt ?? 0);
  return {
    securityId: id,
    symbol,
    name: fields?.companyName ?? issuerOf(row.name),
    cik: fields?.cik ?? row.cik,
    exchange: exchange?.name ?? null,
    mic: exchange?.mic ?? null,
    type: fields?.type ?? 'equity',
    tags: fields?.tags ?? [],
    active: row.active,
    formerSymbols: fields?.formerSymbols ?? [],
    formerNames: [...new Set(names)].toSorted(),
    symbols: symbols.map((span) => span.symbol),
    seenAt: seenAt === 0 ? null : seenAt,
  };
}
