import type { Queryable } from '../../storage/db.ts';
import { missingFromLists } from '../quotes/store.ts';
import { missingFromFilerList } from './filer-list.ts';

/**
 * Returns an SQL condition on a row of securities: it is still listed now. A company with a CIK is
 * inactive once the list of filers drops it, and a symbol that appears only in price lists once
 * they drop it. Lists have no history, so the stored `active` of a version does not include this.
 */
export function isListed(alias: string): string {
  const [symbol, cik] = [`${alias}.symbol`, `${alias}.cik`];
  return `(${alias}.active and not coalesce(
             case when ${cik} is null then ${missingFromLists(symbol)}
                  else ${missingFromFilerList({ symbol, cik })} end, false))`;
}

/** Returns the ids of those securities that are still listed now. */
export async function loadListedIds(
  db: Queryable,
  securities: readonly { id: string }[],
): Promise<Set<string>> {
  if (securities.length === 0) return new Set();
  // Returns one row per listed security. Uses the primary key of security.
  const rows = await db.query<{ id: string }>(
    `select company.id from security company
      where company.id = any($1::text[]) and ${isListed('company')}`,
    [securities.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}
