import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { Ipo } from './row.ts';

/** Stale when any offering came to be or changed. */
export const IPOS_TOPIC = 'ipos';

export const ipoVersions = new VersionedTable<Ipo>({
  table: 'ipo',
  key: ['id', 'id'],
  columns: [
    ['id', 'id', 'text'],
    ['subject', 'subject', 'text'],
    ['symbol', 'symbol', 'text'],
    ['company_name', 'companyName', 'text'],
    ['exchange', 'exchange', 'text'],
    ['mic', 'mic', 'text'],
    ['date', 'date', 'date'],
    ['date_status', 'dateStatus', 'text'],
    ['status', 'status', 'text'],
    ['offering_type', 'offeringType', 'text'],
    ['price_low', 'priceLow', 'numeric'],
    ['price_high', 'priceHigh', 'numeric'],
    ['price', 'price', 'numeric'],
    ['shares', 'shares', 'numeric'],
    ['deal_size', 'dealSize', 'numeric'],
    ['currency', 'currency', 'text'],
    ['filed_date', 'filedDate', 'date'],
    ['priced_date', 'pricedDate', 'date'],
    ['withdrawn_date', 'withdrawnDate', 'date'],
    ['underwriters', 'underwriters', 'jsonb'],
    ['lockup_expiration', 'lockupExpiration', 'date'],
    ['cik', 'cik', 'text'],
    ['filing_url', 'filingUrl', 'text'],
    ['provenance', 'provenance', 'jsonb'],
    ['updated_at', 'updatedAt', 'timestamptz'],
  ],
});

/** Days from which on a deal of each kind is still to come. */
export interface OpenSince {
  /** Expected or put off: by its day; without one they count always. */
  expected: LocalDate;
  /** Filed only: by the day of filing. */
  filed: LocalDate;
  /** Priced: by the day of pricing. */
  priced: LocalDate;
}

/** Offerings that are still to come, as they stand or stood at an instant. */
export async function loadOpenIpos(
  db: Queryable,
  since: OpenSince,
  at: Instant | null,
): Promise<Ipo[]> {
  // One row an offering, unordered; by index ipo_open, or a scan of some thousand rows.
  const where = `v.status in ('expected', 'postponed') and coalesce(v.date >= $1, true)
    or v.status = 'filed' and coalesce(v.filed_date >= $2, true)
    or v.status = 'priced' and v.date >= $3`;
  return ipoVersions.load(db, at, where, [since.expected, since.filed, since.priced]);
}

/**
 * Offerings of these days, both included, whatever became of them: by their day of pricing, without
 * one by that of withdrawal, else of filing. As they stand or stood at an instant.
 */
export async function loadIposBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<Ipo[]> {
  // One row an offering, unordered; a scan of some thousand rows.
  const where = 'coalesce(v.date, v.withdrawn_date, v.filed_date) between $1 and $2';
  return ipoVersions.load(db, at, where, [from, to]);
}

/** All offerings derived from these subjects, as they stand. */
export async function loadIposOfKeys(db: Queryable, entityKeys: readonly string[]): Promise<Ipo[]> {
  if (entityKeys.length === 0) return [];
  // One row an offering, unordered; by index ipo_by_subject.
  return ipoVersions.load(db, null, 'v.subject = any($1::text[])', [entityKeys]);
}

/**
 * These subjects and all others that are tied to them by a symbol or a deal's key, step by step:
 * what is derived from them is derived from nothing else.
 */
export async function relatedKeys(db: Queryable, entityKeys: readonly string[]): Promise<string[]> {
  const known = new Set(entityKeys);
  let fresh = [...known];
  while (fresh.length > 0) {
    // One row a subject with a record that shares a symbol or a key with one of the fresh; by the
    // unique key of source_record and the indexes source_record_ipo_symbol and _deal.
    const rows = await db.query<{ subject: string }>(
      `with fresh as (
         select distinct fields->>'symbol' as symbol, fields->>'dealKey' as deal
           from source_record where dataset = 'ipos' and subject = any($1::text[]))
       select r.subject from source_record r
        where r.dataset = 'ipos'
          and r.fields->>'symbol' in (select symbol from fresh where symbol is not null)
       union
       select r.subject from source_record r
        where r.dataset = 'ipos'
          and r.fields->>'dealKey' in (select deal from fresh where deal is not null)`,
      [fresh],
    );
    fresh = rows.map(({ subject }) => subject).filter((subject) => !known.has(subject));
    for (const subject of fresh) known.add(subject);
  }
  return [...known];
}
