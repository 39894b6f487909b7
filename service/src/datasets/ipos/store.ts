import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue, Transaction } from '../../storage/db.ts';
import type { Ipo } from './row.ts';

/** Stale when any offering came to be or changed. */
export const IPOS_TOPIC = 'ipos';

/** Column, field and SQL type, in one place for reading and writing. */
const COLUMNS = [
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
] as const satisfies readonly (readonly [string, keyof Ipo, string])[];

const SELECT = `select ${COLUMNS.map(([column, field]) => `i.${column} as "${field}"`).join(', ')}
  from ipo i`;
const INTO = COLUMNS.map(([column]) => column).join(', ');
const VALUES = COLUMNS.map(([, field, type]) =>
  type === 'timestamptz' ? `to_timestamp(x."${field}" / 1000.0)` : `x."${field}"`,
).join(', ');
const SHAPE = COLUMNS.map(
  ([, field, type]) => `"${field}" ${type === 'timestamptz' ? 'float8' : type}`,
).join(', ');

/** Days from which on a deal of each kind is still to come. */
export interface OpenSince {
  /** Expected or put off: by its day; without one they count always. */
  expected: LocalDate;
  /** Filed only: by the day of filing. */
  filed: LocalDate;
  /** Priced: by the day of pricing. */
  priced: LocalDate;
}

/** Offerings that stand and are still to come. */
export async function loadOpenIpos(db: Queryable, since: OpenSince): Promise<Ipo[]> {
  // One row an offering, unordered; by index ipo_open.
  return load(
    db,
    `where i.known_to is null
       and (i.status in ('expected', 'postponed') and coalesce(i.date >= $1, true)
            or i.status = 'filed' and coalesce(i.filed_date >= $2, true)
            or i.status = 'priced' and i.date >= $3)`,
    [since.expected, since.filed, since.priced],
  );
}

/** All offerings derived from these subjects, as they stand. */
export async function loadIposOfSubjects(
  db: Queryable,
  subjects: readonly string[],
): Promise<Ipo[]> {
  if (subjects.length === 0) return [];
  // One row an offering, unordered; by index ipo_by_subject.
  return load(db, 'where i.known_to is null and i.subject = any($1::text[])', [subjects]);
}

/**
 * These subjects and all others that are tied to them by a symbol or a deal's key, step by step:
 * what is derived from them is derived from nothing else.
 */
export async function relatedSubjects(
  db: Queryable,
  subjects: readonly string[],
): Promise<string[]> {
  const known = new Set(subjects);
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

/** Closes the versions that stand for these ids. */
export async function closeIpos(
  tx: Transaction,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  // By index ipo_current.
  await tx.query(
    `update ipo set known_to = to_timestamp($2 / 1000.0)
      where known_to is null and id = any($1::text[])`,
    [ids, now],
  );
}

/** Writes versions that stand from now on. */
export async function insertIpos(
  tx: Transaction,
  ipos: readonly Ipo[],
  now: Instant,
): Promise<void> {
  if (ipos.length === 0) return;
  // Adds one row a ipo.
  await tx.query(
    `insert into ipo (${INTO}, known_from)
     select ${VALUES}, to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(${SHAPE})`,
    [JSON.stringify(ipos), now],
  );
}

/** Renews provenance and observation time of ipos whose facts stayed the same. */
export async function renewIpos(tx: Transaction, ipos: readonly Ipo[]): Promise<void> {
  if (ipos.length === 0) return;
  // By index ipo_current.
  await tx.query(
    `update ipo i
        set provenance = x.provenance, updated_at = to_timestamp(x."updatedAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(id text, provenance jsonb, "updatedAt" float8)
      where i.known_to is null and i.id = x.id`,
    [JSON.stringify(ipos.map(({ id, provenance, updatedAt }) => ({ id, provenance, updatedAt })))],
  );
}

async function load(db: Queryable, where: string, params: readonly SqlValue[]): Promise<Ipo[]> {
  const rows = await db.query<Ipo & Row>(`${SELECT} ${where}`, params);
  return rows;
}
