import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';

/** What a scheduler may ask about, per company. */
const OPEN_MAX = 400;

/** Symbols with a report between the two days whose EPS is not known, largest company first. */
export async function symbolsWithoutResult(
  db: Queryable,
  from: LocalDate,
  to: LocalDate,
): Promise<string[]> {
  // At most 400 rows; by index earnings_event_by_date, then the primary key of quote.
  const rows = await db.query<{ symbol: string }>(
    `select e.symbol from earnings_event e left join quote q on q.symbol = e.symbol
      where e.known_to is null and e.date between $1 and $2 and e.eps is null
      order by q.market_cap desc nulls last, e.symbol limit $3`,
    [from, to, OPEN_MAX],
  );
  return rows.map((row) => row.symbol);
}

/** Pages of filings tied to reports since that day whose moment of acceptance nothing settled. */
export async function unsettledFilingPages(db: Queryable, from: LocalDate): Promise<string[]> {
  // At most 400 rows; by index earnings_event_by_date.
  const rows = await db.query<{ url: string }>(
    `select distinct e.source_url as url from earnings_event e
      where e.known_to is null and e.date >= $1 and e.date_status = 'reported'
        and e.reported_at is null and e.source_url like 'https://www.sec.gov/Archives/%'
      order by url limit $2`,
    [from, OPEN_MAX],
  );
  return rows.map((row) => row.url);
}
