import { foldFormerName, foldFullName } from '../../domain/former-name.ts';
import { issuerName } from '../../domain/issuer-name.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { filerKey, filerOf } from '../source-records/entity-keys.ts';
import type { FormerName } from './moved-names.ts';
import type { SymbolName } from './symbol-names.ts';

/** A company name in the index `source_record_company_name`. */
const FOLDED_NAME = `lower(regexp_replace(r.fields->>'companyName', '[^a-zA-Z0-9]+', '', 'g') collate "C")`;
/** The condition of the index `source_record_former_name`. */
const HAS_FORMER_NAMES = `r.dataset = 'profiles' and jsonb_array_length(r.fields->'formerNames') > 0`;

export interface Related {
  /** Symbols of the filers, and symbols with a name that is equal to one of the names. */
  symbols: string[];
  /** The former names, with a known last day, of the filers and of filers that had the names. */
  formerNames: FormerName[];
}

type RelatedRow = Row &
  (
    | { kind: 'symbol'; subject: string }
    | { kind: 'former'; subject: string; name: string; until: LocalDate; at: Instant }
  );

/** Loads what may show that companies with these names and filers had other symbols. */
export async function loadRelated(
  db: Queryable,
  names: readonly SymbolName[],
  ciks: readonly string[],
): Promise<Related> {
  if (names.length === 0 && ciks.length === 0) return { symbols: [], formerNames: [] };
  const fullNames = distinct(names.map(({ name }) => foldFullName(name)));
  const issuers = distinct(names.map(({ name }) => foldFormerName(issuerName(name))));
  // Returns one row per symbol and former name. Uses indexes source_record_former_name,
  // source_record_company_name and source_record_filer, the unique key of source_record and the
  // primary key of sighting. The lateral join uses the index for each name; `any` would not.
  const rows = await db.query<RelatedRow>(
    `with filer as (
       select distinct r.subject from source_record r
        where ${HAS_FORMER_NAMES} and folded_former_names(r.fields) && $2::text[])
     select 'symbol' as kind, unnest(n.subjects) as subject, null as name, null as until,
            null::timestamptz as at
       from unnest($1::text[]) as k(key)
      cross join lateral (
        select array_agg(distinct r.subject) as subjects from source_record r
         where r.dataset = 'profiles' and ${FOLDED_NAME} = k.key collate "C") n
      where array_length(n.subjects, 1) > 1
     union all
     select distinct 'symbol', r.subject, null, null, null::timestamptz from source_record r
      where r.dataset = 'securities'
        and r.fields->>'cik' = any($3::text[] || array(select substr(subject, 4) from filer))
     union all
     select 'former', r.subject, f.name, f.until, min(s.observed_at)
       from source_record r
       join sighting s on s.record_id = r.id
      cross join jsonb_to_recordset(r.fields->'formerNames') as f(name text, until text)
      where ${HAS_FORMER_NAMES} and f.until is not null
        and r.subject = any($4::text[] || array(select subject from filer))
      group by r.subject, f.name, f.until`,
    [fullNames, issuers, ciks, ciks.map(filerKey)],
  );
  const symbols = rows.flatMap((row) => (row.kind === 'symbol' ? [row.subject] : []));
  return {
    symbols: distinct(symbols).filter((key) => filerOf(key) === null),
    formerNames: rows.flatMap((row) => {
      const cik = row.kind === 'former' ? filerOf(row.subject) : null;
      if (row.kind !== 'former' || cik === null) return [];
      return [{ cik, name: row.name, until: row.until, at: row.at }];
    }),
  };
}

/** Loads the symbols whose companies had one of the former names. */
export async function loadSymbolsNamed(
  db: Queryable,
  formerNames: readonly FormerName[],
): Promise<string[]> {
  const keys = new Set(distinct(formerNames.map(({ name }) => foldFormerName(name))));
  if (keys.size === 0) return [];
  // Returns one row per symbol and name that begins with a former name. Uses index
  // source_record_company_name for each former name.
  const rows = await db.query<{ subject: string; name: string }>(
    `select distinct n.subject, n.name
       from unnest($1::text[]) as k(key)
      cross join lateral (
        select r.subject, r.fields->>'companyName' as name from source_record r
         where r.dataset = 'profiles' and ${FOLDED_NAME} >= k.key collate "C"
           and ${FOLDED_NAME} < (k.key || '{') collate "C"
        offset 0) n`,
    [[...keys]],
  );
  const named = rows.filter(({ name }) => keys.has(foldFormerName(issuerName(name))));
  return distinct(named.map(({ subject }) => subject)).filter((key) => filerOf(key) === null);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
