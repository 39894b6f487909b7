import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { versionedTable } from '../versions/versioned-table.ts';
import type { EarningsEvent } from './row.ts';

export const earningsVersions = versionedTable<EarningsEvent>({
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
    ['revenue_estimate', 'revenueEstimate', 'numeric'],
    ['revenue', 'revenue', 'numeric'],
    ['estimate_count', 'estimateCount', 'int4'],
    ['eps_year_ago', 'epsYearAgo', 'numeric'],
    ['fiscal_year', 'fiscalYear', 'int4'],
    ['fiscal_quarter', 'fiscalQuarter', 'int4'],
    ['fiscal_period_end', 'fiscalPeriodEnd', 'date'],
    ['eps_basis', 'epsBasis', 'text'],
    ['currency', 'currency', 'text'],
    ['reported_at', 'reportedAt', 'timestamptz'],
    ['estimate_as_of', 'estimateAsOf', 'timestamptz'],
    ['revenue_estimate_as_of', 'revenueEstimateAsOf', 'timestamptz'],
    ['marker_ahead', 'markerAhead', 'bool'],
    ['split_factor', 'splitFactor', 'numeric'],
    ['source_url', 'sourceUrl', 'text'],
    ['provenance', 'provenance', 'jsonb'],
    ['updated_at', 'updatedAt', 'timestamptz'],
  ],
});

/** Events from one day to another, both included, as they stand or stood at an instant. */
export async function loadEarningsBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<EarningsEvent[]> {
  // One row an event, unordered; by index earnings_event_by_date, or …_by_date_ever.
  return earningsVersions.load(db, at, 'v.date between $1 and $2', [from, to]);
}

/**
 * Events of these days in the past, both included: those whose results or filing are known, and
 * those whose session was told, though no source has shown their results yet.
 */
export async function loadPassedEarnings(
  db: Queryable,
  from: LocalDate,
  to: LocalDate,
): Promise<EarningsEvent[]> {
  // One row an event, unordered; by index earnings_event_by_date.
  const where = `v.date between $1 and $2
                 and (v.date_status = 'reported' or v."time" <> 'time-not-supplied')`;
  return earningsVersions.load(db, null, where, [from, to]);
}

/** The day with reports nearest to this one, earlier days first; null when there is none at all. */
export async function nearestDayWithReports(
  db: Queryable,
  date: LocalDate,
): Promise<LocalDate | null> {
  // The newest day up to this one, else the first after it; by index earnings_event_by_date.
  const rows = await db.query<{ day: LocalDate | null }>(
    `select coalesce(
       (select max(e.date) from earnings_event e where e.known_to is null and e.date <= $1),
       (select min(e.date) from earnings_event e where e.known_to is null and e.date > $1)) as day`,
    [date],
  );
  return rows[0]?.day ?? null;
}

/** All events of securities as they stand, or stood at an instant. */
export async function loadEarningsOfSecurities(
  db: Queryable,
  securityIds: readonly string[],
  at: Instant | null = null,
): Promise<EarningsEvent[]> {
  if (securityIds.length === 0) return [];
  // One row an event, unordered; by index earnings_event_by_security, or …_by_security_ever.
  return earningsVersions.load(db, at, 'v.security_id = any($1::text[])', [securityIds]);
}

/** Events of securities on these days, both included, as they stand. */
export async function loadEarningsOfSecuritiesBetween(
  db: Queryable,
  securityIds: readonly string[],
  { from, to }: { from: LocalDate; to: LocalDate },
): Promise<EarningsEvent[]> {
  if (securityIds.length === 0) return [];
  // One row an event, unordered; by index earnings_event_by_security.
  const where = 'v.security_id = any($1::text[]) and v.date between $2 and $3';
  return earningsVersions.load(db, null, where, [securityIds, from, to]);
}
