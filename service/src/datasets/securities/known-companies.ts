import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';
import { missingFromLists } from '../quotes/store.ts';

/** Companies about which sources can be asked one by one. */
export interface KnownCompanies {
  /** Canonical symbols, sorted. */
  symbols: readonly string[];
  /** CIKs (ten digits) by canonical symbol, of the companies that file with the SEC. */
  ciks: ReadonlyMap<string, string>;
}

/**
 * Loads the companies to which reports belong: those in the SEC's lists of filers, and those that a
 * list of an exchange names now. A symbol that was only mentioned in a calendar is not included.
 */
export async function loadKnownCompanies(db: Queryable): Promise<KnownCompanies> {
  // Returns one row per reporting security. Scans some ten thousand rows, and uses indexes
  // profile_current and quote_newest for those without a filer.
  const rows = await db.query<CompanyRow>(
    `select s.symbol, s.cik from security s where s.reports and s.active and s.cik is not null
      union all
     select s.symbol, null
       from security s join profile p on p.security_id = s.id and p.known_to is null
      where s.reports and s.active and s.cik is null
        and p.fields ->> 'type' = 'equity' and p.fields ->> 'exchange' is not null
        and not coalesce(${missingFromLists('s.symbol')}, false)
      order by symbol`,
  );
  return toCompanies(rows);
}

/** Like `loadKnownCompanies`, for all companies with a report between two days. */
export async function loadReporters(
  db: Queryable,
  from: LocalDate,
  to: LocalDate,
): Promise<KnownCompanies> {
  // Returns one row per security. Uses index earnings_event_by_date, then the primary key of
  // security.
  const rows = await db.query<CompanyRow>(
    `select distinct s.symbol, s.cik
       from earnings_event e join security s on s.id = e.security_id
      where e.known_to is null and e.date between $1 and $2
      order by s.symbol`,
    [from, to],
  );
  return toCompanies(rows);
}

type CompanyRow = { symbol: string; cik: string | null };

function toCompanies(rows: readonly CompanyRow[]): KnownCompanies {
  return {
    symbols: [...new Set(rows.map(({ symbol }) => symbol))],
    ciks: new Map(rows.flatMap(({ symbol, cik }) => (cik === null ? [] : [[symbol, cik]]))),
  };
}
