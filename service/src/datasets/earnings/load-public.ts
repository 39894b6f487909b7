import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import type { Security } from '../securities/row.ts';
import { loadSecuritiesById } from '../securities/store.ts';
import { firstObservedAt } from '../source-records/public-time.ts';
import { deriveEarnings } from './derive.ts';
import { loadCompanies, loadInputs } from './load-inputs.ts';
import { hasPublicationTime } from './public-view.ts';
import type { EarningsEvent } from './row.ts';

/** The instant whose public knowledge is requested, and the market calendar. */
export interface PublicQuery {
  at: Instant;
  market: MarketCalendar;
}

export interface PublicEarnings {
  events: EarningsEvent[];
  /**
   * Time of the first row without a publication time, such as a consensus; null if there is none.
   * Nothing of its kind is known before.
   */
  recordedSince: Instant | null;
}

/** Companies loaded at a time, to bound the memory that a calendar takes. */
const BATCH_SIZE = 50;
/** A results filing is dated at most this long after the news that its cover page dates. */
const COVER_DAYS_MAX = 14;

/**
 * Derives the reports of these securities from what was public at an instant. A company with a long
 * history takes tens of milliseconds, so other work gets a turn after each.
 */
export async function loadPublicEarnings(
  db: Queryable,
  securities: readonly Security[],
  { at, market }: PublicQuery,
): Promise<PublicEarnings> {
  const events: EarningsEvent[] = [];
  const firstAt: (Instant | null)[] = [];
  for (let start = 0; start < securities.length; start += BATCH_SIZE) {
    const batch = securities.slice(start, start + BATCH_SIZE);
    const { companies, stored } = await loadCompanies(db, batch, { publicAt: at });
    const query = { today: newYorkDate(at), market, publicAt: at };
    for (const [index, { input }] of (await loadInputs(db, companies, query)).entries()) {
      if (index > 0) await new Promise((resolve) => setImmediate(resolve));
      events.push(...deriveEarnings(input).events);
    }
    firstAt.push(firstObservedAt(stored, (fields) => !hasPublicationTime(fields)));
  }
  const known = firstAt.filter((instant) => instant !== null);
  return { events, recordedSince: known.length === 0 ? null : Math.min(...known) };
}

/**
 * Derives the reports between two days, both inclusive, from what was public at an instant: those
 * of all companies, or of some. Projected days are left out, because nothing stored tells which
 * companies had one on these days.
 */
export async function loadPublicEarningsBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  query: PublicQuery & { securityIds?: readonly string[] | null },
): Promise<PublicEarnings> {
  const ids = await securitiesReportingBetween(db, { from, to }, query);
  const securities = await loadSecuritiesById(db, ids, null);
  const { events, recordedSince } = await loadPublicEarnings(db, securities, query);
  const named = events.filter(({ projection }) => projection === null);
  return { events: named.filter(({ date }) => date >= from && date <= to), recordedSince };
}

/**
 * Returns the securities that may have a report on these days: by a row of a calendar or a results
 * filing. A filing accepted in the evening has the next business day's date. Stored versions are
 * not used: they are dated with later knowledge, so a list chosen by them would look ahead.
 */
async function securitiesReportingBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  { market, securityIds = null }: PublicQuery & { securityIds?: readonly string[] | null },
): Promise<string[]> {
  const lastFiled = market.nextTradingDay(to);
  // Returns one row per security. Uses indexes source_record_by_day, source_record_filing_day,
  // security_cik and security_former_ciks, and the primary key of security_symbol.
  const rows = await db.query<{ id: string }>(
    ...statement(sql`
      with filer as (
        select distinct substr(r.subject, 4) as cik from source_record r
         where r.dataset = 'earnings' and r.fields ->> 'kind' = 'filing'
           and r.fields ->> 'filingDate' between ${from}::text
                                             and ${addDays(to, COVER_DAYS_MAX)}::text
           and (r.fields ->> 'filingDate' <= ${lastFiled}::text
                or r.fields ->> 'reportDate' between ${from}::text and ${to}::text)
      )
      select id from (
        select n.security_id as id
          from source_record r join security_symbol n on n.symbol = r.subject
         where r.dataset = 'earnings' and r.dataset in ('earnings', 'dividends')
           and coalesce(r.fields ->> 'exDate', r.fields ->> 'date') between ${from}::text
                                                                        and ${to}::text
        union
        select s.id from security s join filer f on s.cik = f.cik where s.reports
        union
        select s.id from security s join filer f on s.former_ciks ? f.cik where s.reports
      ) found
       where ${securityIds}::text[] is null or id = any(${securityIds}::text[])
       order by id`),
  );
  return rows.map(({ id }) => id);
}
