import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';

/** A filing that a list showed. */
export interface SeenFiling {
  accession: string;
  cik: string;
  form: string;
  /** Null until known. */
  items: readonly string[] | null;
  acceptedAt: Instant | null;
  seenAt: Instant;
  /** True if it was seen while the list was followed, so that its delay counts. */
  isLive: boolean;
  /** True if its documents are still to be read. */
  isOpen: boolean;
}

/** The result of reading a filing's documents. */
export interface ReadFiling {
  accession: string;
  state: 'done' | 'failed';
  items: readonly string[] | null;
  acceptedAt: Instant | null;
  /** Time at which its figures were served, if they passed the checks; null if it states none. */
  mayServeAt: Instant | null;
}

/** Records filings and returns those that were unknown. */
export async function recordFilings(
  db: Queryable,
  filings: readonly SeenFiling[],
): Promise<SeenFiling[]> {
  if (filings.length === 0) return [];
  const rows = new Recordset(
    {
      accession: 'text',
      cik: 'text',
      form: 'text',
      items: 'text',
      accepted_at: 'float8',
      seen_at: 'float8',
      is_live: 'bool',
      state: 'text',
    },
    filings.map(({ accession, cik, form, items, acceptedAt, seenAt, isLive, isOpen }) => ({
      accession,
      cik,
      form,
      items: items?.join(' ') ?? null,
      accepted_at: acceptedAt,
      seen_at: seenAt,
      is_live: isLive,
      state: isOpen ? 'open' : 'done',
    })),
  );
  // Returns one row per inserted filing.
  const inserted = await db.query<{ accession: string }>(
    ...statement(sql`
      insert into filing (accession, cik, form, items, accepted_at, seen_at, is_live, state)
      select accession, cik, form, string_to_array(items, ' '),
             to_timestamp(accepted_at / 1000.0), to_timestamp(seen_at / 1000.0), is_live, state
        from ${rows.as('x', ['accession', 'cik', 'form', 'items', 'accepted_at', 'seen_at', 'is_live', 'state'])}
      on conflict (accession) do nothing
      returning accession`),
  );
  const unknown = new Set(inserted.map(({ accession }) => accession));
  return filings.filter(({ accession }) => unknown.has(accession));
}

/** Loads the filings whose documents are still to be read, unordered. */
export async function loadOpenFilings(db: Queryable): Promise<SeenFiling[]> {
  // Returns one row per filing. Uses index filing_open.
  const rows = await db.query<Omit<SeenFiling, 'isOpen'>>(
    `select accession, cik, form, items, accepted_at as "acceptedAt", seen_at as "seenAt",
            is_live as "isLive"
       from filing where state = 'open'`,
  );
  return rows.map((row) => ({ ...row, isOpen: true }));
}

/**
 * Records the result of reading a filing. Items and acceptance time stay if they are null here. The
 * filing counts as served if at least one of its figures is not quarantined.
 */
export async function finishFiling(
  db: Queryable,
  { accession, state, items, acceptedAt, mayServeAt }: ReadFiling,
): Promise<void> {
  // Updates one row by its primary key. Uses the unique key of source_record for its figures, whose
  // keys begin with the accession number.
  await db.query(
    `update filing set state = $2, items = coalesce($3::text[], items),
            accepted_at = coalesce(to_timestamp($4 / 1000.0), accepted_at),
            served_at = case when exists (
              select 1 from source_record r
               where r.dataset = 'earnings' and r.subject = 'CIK' || filing.cik
                 and r.natural_key like $1 || '/%#%'
                 and not exists (select 1 from held_record h where h.record_id = r.id)
            ) then to_timestamp($5 / 1000.0) end
      where accession = $1`,
    [accession, state, items === null ? null : [...items], acceptedAt, mayServeAt],
  );
}

/** Deletes filings seen before an instant. */
export async function deleteOldFilings(db: Queryable, before: Instant): Promise<void> {
  // Uses index filing_by_seen.
  await db.query(`delete from filing where seen_at < to_timestamp($1 / 1000.0)`, [before]);
}
