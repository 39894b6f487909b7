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
