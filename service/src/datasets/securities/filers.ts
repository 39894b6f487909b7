import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';

/** Loads CIKs by symbol, for the securities to which a filer's reports belong. */
export async function loadCiks(db: Queryable): Promise<Map<string, string>> {
  // Returns one row per reporting security with a filer. Scans some ten thousand rows.
  const rows = await db.query<{ symbol: string; cik: string }>(
    `select symbol, cik from security where reports and active and cik is not null order by symbol`,
  );
  return new Map(rows.map(({ symbol, cik }) => [symbol, cik]));
}

/** Like `loadCiks`, for companies with a report between two days. */
export async function loadReporterCiks(
  db: Queryable,
  from: LocalDate,
  to: LocalDate,
): Promise<Map<string, string>> {
  // Returns one row per security. Uses index earnings_event_by_date, then the primary key of
  // security.
  const rows = await db.query<{ symbol: string; cik: string }>(
    `select distinct s.symbol, s.cik
       from earnings_event e join security s on s.id = e.security_id
      where e.known_to is null and e.date between $1 and $2 and s.cik is not null
      order by s.symbol`,
    [from, to],
  );
  return new Map(rows.map(({ symbol, cik }) => [symbol, cik]));
}
