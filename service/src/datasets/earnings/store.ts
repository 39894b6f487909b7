import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { EarningsEvent } from './row.ts';

export const earningsVersions = new VersionedTable<EarningsEvent>({
  table: 'earnings_event',
  key: ['id', 'id'],
  columns: [
    ['id', 'id', 'text'],
    ['security_id', 'securityId', 'text'],
    ['symbol', 'symbol', 'text'],
    ['name', 'name', 'text'],
    ['date', 'date', 'date'],
    ['"time"', 'time', 'text'],
    ['date_status', 'dateStatus', 'text'],
    ['eps_estimate', 'epsEstimate', 'numeric'],
    ['eps', 'eps', 'numeric'],
    ['eps_gaap', 'epsGaap', 'numeric'],
    ['revenue_estimate', 'revenueEstimate', 'numeric'],
    ['revenue', 'revenue', 'numeric'],
    ['estimate_count', 'estimateCount', 'int4'],
    ['eps_year_ago', 'epsYearAgo', 'numeric'],
    ['fiscal_year', 'fiscalYear', 'int4'],
    ['fiscal_quarter', 'fiscalQuarter', 'int4'],
    ['fiscal_period_end', 'fiscalPeriodEnd', 'date'],
    ['eps_basis', 'epsBasis', 'text'],
    ['eps_comparable', 'isEpsComparable', 'bool'],
    ['currency', 'currency', 'text'],
    ['reported_at', 'reportedAt', 'timestamptz'],
    ['estimate_as_of', 'estimateAsOf', 'timestamptz'],
    ['revenue_estimate_as_of', 'revenueEstimateAsOf', 'timestamptz'],
    ['call_at', 'callAt', 'timestamptz'],
    ['estimates', 'estimates', 'jsonb'],
    ['guidance', 'guidance', 'jsonb'],
    ['marker_ahead', 'markerAhead', 'bool'],
    ['split_factor', 'splitFactor', 'numeric'],
    ['source_url', 'sourceUrl', 'text'],
    ['projection', 'projection', 'jsonb'],
    ['provenance', 'provenance', 'jsonb'],
    ['updated_at', 'updatedAt', 'timestamptz'],
  ],
});

/** Loads events between two days, both inclusive, either current or as of an instant. */
export async function loadEarningsBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<EarningsEvent[]> {
  // Returns one row per event, unordered. Uses index earnings_event_by_date, or …_by_date_ever.
  return earningsVersions.loadInSlices(db, at, 'v.date between $1 and $2', [from, to]);
}

/** The day and the company of an event. */
export type EarningsKey = Pick<EarningsEvent, 'id' | 'date' | 'symbol'>;

/** Like `loadEarningsBetween`, but loads only the keys. */
export function loadEarningsKeysBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<EarningsKey[]> {
  // Returns one row per event, unordered. Uses the same indexes.
  const fields = ['id', 'date', 'symbol'] as const;
  return earningsVersions.loadFields(db, at, fields, 'v.date between $1 and $2', [from, to]);
}

/**
 * Returns the nearest day with reports, preferably not after `date`; null if there are no reports
 * at all.
 */
export async function nearestDayWithReports(
  db: Queryable,
  date: LocalDate,
): Promise<LocalDate | null> {
  // Returns the newest day up to the date, or the first day after it. Uses index
  // earnings_event_by_date.
  const rows = await db.query<{ day: LocalDate | null }>(
    `select coalesce(
       (select max(e.date) from earnings_event e where e.known_to is null and e.date <= $1),
       (select min(e.date) from earnings_event e where e.known_to is null and e.date > $1)) as day`,
    [date],
  );
  return rows[0]?.day ?? null;
}

/** Loads all events for the securities, either current or as of an instant. */
export async function loadEarningsOfSecurities(
  db: Queryable,
  securityIds: readonly string[],
  at: Instant | null = null,
): Promise<EarningsEvent[]> {
  if (securityIds.length === 0) return [];
  // Returns one row per event, unordered. Uses index earnings_event_by_security, or
  // …_by_security_ever.
  return earningsVersions.load(db, at, 'v.security_id = any($1::text[])', [securityIds]);
}

/** Like `loadEarningsOfSecurities`, but loads a few events at a time. */
export async function loadEarningsInSlices(
  db: Queryable,
  securityIds: readonly string[],
  at: Instant | null,
): Promise<EarningsEvent[]> {
  // The events of one security fit into one query.
  if (securityIds.length <= 1) return loadEarningsOfSecurities(db, securityIds, at);
  return earningsVersions.loadInSlices(db, at, 'v.security_id = any($1::text[])', [securityIds]);
}

/** Loads the ids of those securities that have reports. */
export async function loadIdsWithReports(
  db: Queryable,
  securities: readonly { id: string }[],
): Promise<Set<string>> {
  if (securities.length === 0) return new Set();
  // Returns one row per security. Uses index earnings_event_by_security.
  const rows = await db.query<{ id: string }>(
    `select distinct security_id as id from earnings_event
      where known_to is null and security_id = any($1::text[])`,
    [securities.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Loads current events for the securities between two days, both inclusive. */
export async function loadEarningsOfSecuritiesBetween(
  db: Queryable,
  securityIds: readonly string[],
  { from, to }: { from: LocalDate; to: LocalDate },
): Promise<EarningsEvent[]> {
  if (securityIds.length === 0) return [];
  // Returns one row per event, unordered. Uses index earnings_event_by_security.
  const where = 'v.security_id = any($1::text[]) and v.date between $2 and $3';
  return earningsVersions.load(db, null, where, [securityIds, from, to]);
}

/** Maximum number of projections that one commit moves. */
const PASSED_MAX = 200;

/** Returns symbols of projected reports whose day is over, at most 200 at a time. */
export async function symbolsOfPassedProjections(
  db: Queryable,
  today: LocalDate,
): Promise<string[]> {
  // Returns at most 200 rows. Uses index earnings_event_projected.
  const rows = await db.query<{ symbol: string }>(
    `select e.symbol from earnings_event e
      where e.known_to is null and e.projection is not null and e.date < $1
      order by e.date, e.symbol limit $2`,
    [today, PASSED_MAX],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Returns the number of a day's reports whose date comes from the provider. */
export async function countEarningsOfSource(
  db: Queryable,
  provider: string,
  date: LocalDate,
): Promise<number> {
  // Returns one row. Uses index earnings_event_by_date.
  const [row] = await db.query<{ reports: number }>(
    `select count(*) as reports from earnings_event
      where known_to is null and date = $1 and provenance -> 'date' ->> 'provider' = $2`,
    [date, provider],
  );
  return row?.reports ?? 0;
}

/** Maximum length of the scheduler's lists. */
const PENDING_MAX = 400;

/** Returns symbols with a report between two days whose EPS is unknown, largest companies first. */
export async function symbolsWithoutResult(
  db: Queryable,
  from: LocalDate,
  to: LocalDate,
): Promise<string[]> {
  // Returns at most 400 rows. Uses index earnings_event_by_date and the primary key of quote.
  const rows = await db.query<{ symbol: string }>(
    `select e.symbol from earnings_event e left join quote q on q.symbol = e.symbol
      where e.known_to is null and e.date between $1 and $2 and e.eps is null
      order by q.market_cap desc nulls last, e.symbol limit $3`,
    [from, to, PENDING_MAX],
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * Returns the pages of filings matched to reports since a given day and without a known acceptance
 * time.
 */
export async function unsettledFilingPages(db: Queryable, from: LocalDate): Promise<string[]> {
  // Returns at most 400 rows. Uses index earnings_event_by_date.
  const rows = await db.query<{ url: string }>(
    `select distinct e.source_url as url from earnings_event e
      where e.known_to is null and e.date >= $1 and e.date_status = 'reported'
        and e.reported_at is null and e.source_url like 'https://www.sec.gov/Archives/%'
      order by url limit $2`,
    [from, PENDING_MAX],
  );
  return rows.map(({ url }) => url);
}
