import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue, Transaction } from '../../storage/db.ts';
import type { EarningsEvent } from './row.ts';

/** Column, event field and SQL type, in one place for reading and writing. */
const COLUMNS = [
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
  ['marker_ahead', 'markerAhead', 'bool'],
  ['split_factor', 'splitFactor', 'numeric'],
  ['source_url', 'sourceUrl', 'text'],
  ['provenance', 'provenance', 'jsonb'],
  ['updated_at', 'updatedAt', 'timestamptz'],
] as const satisfies readonly (readonly [string, keyof EarningsEvent, string])[];

const SELECT = `select ${COLUMNS.map(([column, field]) => `e.${column} as "${field}"`).join(', ')}
  from earnings_event e`;
const INTO = COLUMNS.map(([column]) => column).join(', ');
const VALUES = COLUMNS.map(([, field, type]) =>
  type === 'timestamptz' ? `to_timestamp(x."${field}" / 1000.0)` : `x."${field}"`,
).join(', ');
const SHAPE = COLUMNS.map(
  ([, field, type]) => `"${field}" ${type === 'timestamptz' ? 'float8' : type}`,
).join(', ');

/** Events of a day as they stand. */
export async function loadEarningsOfDay(db: Queryable, date: LocalDate): Promise<EarningsEvent[]> {
  // One row an event, unordered; by index earnings_event_by_date.
  return load(db, `where e.known_to is null and e.date = $1`, [date]);
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
  const where = `where e.known_to is null and e.date between $1 and $2
                   and (e.date_status = 'reported' or e."time" <> 'time-not-supplied')`;
  return load(db, where, [from, to]);
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

/** All events of securities as they stand. */
export async function loadEarningsOfSecurities(
  db: Queryable,
  securityIds: readonly string[],
): Promise<EarningsEvent[]> {
  if (securityIds.length === 0) return [];
  // One row an event, unordered; by index earnings_event_by_security.
  return load(db, `where e.known_to is null and e.security_id = any($1::text[])`, [securityIds]);
}

/** Closes the versions that stand for these ids. */
export async function closeVersions(
  tx: Transaction,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  // By index earnings_event_current.
  await tx.query(
    `update earnings_event set known_to = to_timestamp($2 / 1000.0)
      where known_to is null and id = any($1::text[])`,
    [ids, now],
  );
}

/** Writes versions that stand from now on. */
export async function insertVersions(
  tx: Transaction,
  events: readonly EarningsEvent[],
  now: Instant,
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into earnings_event (${INTO}, known_from)
     select ${VALUES}, to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(${SHAPE})`,
    [JSON.stringify(events), now],
  );
}

/**
 * Renews what may change without a new version: provenance and the observation time of the last
 * change, which an older answer that arrives late can move back.
 */
export async function renewProvenance(
  tx: Transaction,
  events: readonly EarningsEvent[],
): Promise<void> {
  if (events.length === 0) return;
  // By index earnings_event_current.
  await tx.query(
    `update earnings_event e
        set provenance = x.provenance, updated_at = to_timestamp(x."updatedAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(id text, provenance jsonb, "updatedAt" float8)
      where e.known_to is null and e.id = x.id`,
    [
      JSON.stringify(
        events.map(({ id, provenance, updatedAt }) => ({ id, provenance, updatedAt })),
      ),
    ],
  );
}

async function load(
  db: Queryable,
  where: string,
  params: readonly SqlValue[],
): Promise<EarningsEvent[]> {
  const rows = await db.query<EarningsEvent & Row>(`${SELECT} ${where}`, params);
  return rows;
}
