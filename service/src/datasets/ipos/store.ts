import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { Ipo } from './row.ts';

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

/** For each status, the first day on which deals are still upcoming. */
export interface OpenSince {
  /**
   * Expected or postponed deals, by pricing date. Deals without a pricing date are always upcoming.
   */
  expected: LocalDate;
  /** Deals that have only been filed, by filing date. */
  filed: LocalDate;
  /** Priced deals, by pricing date. */
  priced: LocalDate;
}

/** Loads upcoming offerings, either current or as of an instant. */
export async function loadOpenIpos(
  db: Queryable,
  since: OpenSince,
  at: Instant | null,
): Promise<Ipo[]> {
  // Returns one row per offering, unordered. Uses index ipo_open, or scans a few thousand rows.
  const where = `v.status in ('expected', 'postponed') and coalesce(v.date >= $1, true)
    or v.status = 'filed' and coalesce(v.filed_date >= $2, true)
    or v.status = 'priced' and v.date >= $3`;
  return ipoVersions.load(db, at, where, [since.expected, since.filed, since.priced]);
}

/**
 * Loads offerings with any status between two days, both inclusive, either current or as of an
 * instant. The date is that of the pricing, or else the withdrawal, or else the filing.
 */
export async function loadIposBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<Ipo[]> {
  // Returns one row per offering, unordered. Scans a few thousand rows.
  const where = 'coalesce(v.date, v.withdrawn_date, v.filed_date) between $1 and $2';
  return ipoVersions.load(db, at, where, [from, to]);
}

/** Loads all current offerings derived from these entity keys. */
export async function loadIposOfKeys(db: Queryable, entityKeys: readonly string[]): Promise<Ipo[]> {
  if (entityKeys.length === 0) return [];
  // Returns one row per offering, unordered. Uses index ipo_by_subject.
  return ipoVersions.load(db, null, 'v.subject = any($1::text[])', [entityKeys]);
}

/**
 * Returns these entity keys and all others connected to them, directly or indirectly, by a symbol
 * or a deal key. Offerings derived from the result depend on no other key.
 */
export async function relatedKeys(db: Queryable, entityKeys: readonly string[]): Promise<string[]> {
  const connected = new Set(entityKeys);
  let added = [...connected];
  while (added.length > 0) {
    // Returns one row per entity key with a record that shares a symbol or a deal key. Uses the
    // unique key of source_record and indexes source_record_ipo_symbol and _deal.
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
      [added],
    );
    added = rows.map(({ subject }) => subject).filter((subject) => !connected.has(subject));
    for (const subject of added) connected.add(subject);
  }
  return [...connected];
}
