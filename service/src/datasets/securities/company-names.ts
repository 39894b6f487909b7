import { foldFormerName, foldFullName } from '../../domain/former-name.ts';
import { issuerName } from '../../domain/issuer-name.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { filerKey, filerOf } from '../source-records/entity-keys.ts';
import type { FormerName } from './moved-names.ts';
import type { SymbolName } from './symbol-names.ts';

/** A company name in the index `source_record_company_name`. */
const FOLDED_NAME = `lower(regexp_replace(r.fields->>'companyName', '[^a-zA-Z0-9]+', '', 'g') collate "C")`;
/** The condition of the index `source_record_former_name`. */
const HAS_FORMER_NAMES = `r.dataset = 'profiles' and jsonb_array_length(r.fields->'formerNames') > 0`;

/** Loads the symbols that share a full company name with another symbol. */
export async function loadNamesakes(
  db: Queryable,
  names: readonly SymbolName[],
): Promise<string[]> {
  const keys = distinct(names.map(({ name }) => foldFullName(name)));
  if (keys.length === 0) return [];
  // Returns one row per name that several symbols have. Uses index source_record_company_name.
  const rows = await db.query<{ symbols: string[] }>(
    `select array_agg(distinct r.subject) as symbols from source_record r
      where r.dataset = 'profiles' and ${FOLDED_NAME} = any($1::text[])
      group by ${FOLDED_NAME} having count(distinct r.subject) > 1`,
    [keys],
  );
  return distinct(rows.flatMap(({ symbols }) => symbols)).filter((key) => filerOf(key) === null);
}

/** Loads the filers that once had the name of a symbol's company. */
export async function loadFilersOnceNamed(
  db: Queryable,
  names: readonly SymbolName[],
): Promise<string[]> {
  const keys = distinct(names.map(({ name }) => foldFormerName(issuerName(name))));
  if (keys.length === 0) return [];
  // Returns one row per filer. Uses index source_record_former_name.
  const rows = await db.query<{ subject: string }>(
    `select distinct r.subject from source_record r
      where ${HAS_FORMER_NAMES} and folded_former_names(r.fields) && $1::text[]`,
    [keys],
  );
  return rows.flatMap(({ subject }) => filerOf(subject) ?? []);
}

/** Loads the former names of filers whose last day is known. */
export async function loadFormerNames(
  db: Queryable,
  ciks: readonly string[],
): Promise<FormerName[]> {
  if (ciks.length === 0) return [];
  // Returns one row per name and day. Uses the unique key of source_record and the primary key of
  // sighting.
  const rows = await db.query<{ subject: string; name: string; until: LocalDate; at: Instant }>(
    `select r.subject, f.name, f.until, min(s.observed_at) as at
       from source_record r
       join sighting s on s.record_id = r.id
      cross join jsonb_to_recordset(r.fields->'formerNames') as f(name text, until text)
      where ${HAS_FORMER_NAMES} and r.subject = any($1::text[]) and f.until is not null
      group by r.subject, f.name, f.until
      order by r.subject, f.name, f.until`,
    [ciks.map(filerKey)],
  );
  return rows.flatMap(({ subject, ...former }) => {
    const cik = filerOf(subject);
    return cik === null ? [] : [{ cik, ...former }];
  });
}

/** Loads the symbols whose companies had one of the former names. */
export async function loadSymbolsNamed(
  db: Queryable,
  formerNames: readonly FormerName[],
): Promise<string[]> {
  const keys = new Set(distinct(formerNames.map(({ name }) => foldFormerName(name))));
  if (keys.size === 0) return [];
  // Returns one row per symbol and name that begins with a former name. Uses index
  // source_record_company_name.
  const rows = await db.query<{ subject: string; name: string }>(
    `select distinct r.subject, r.fields->>'companyName' as name
       from unnest($1::text[]) as k(key)
       join source_record r on r.dataset = 'profiles'
        and ${FOLDED_NAME} >= k.key collate "C" and ${FOLDED_NAME} < (k.key || '{') collate "C"`,
    [[...keys]],
  );
  const named = rows.filter(({ name }) => keys.has(foldFormerName(issuerName(name))));
  return distinct(named.map(({ subject }) => subject)).filter((key) => filerOf(key) === null);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
