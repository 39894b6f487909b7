import { bestLikeness } from '../../domain/company-likeness.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareBy } from '../../platform/compare.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Security } from './row.ts';
import { loadSecuritiesBySymbol } from './store.ts';

/**
 * Returns the security that a symbol refers to on a given day. If several companies had the symbol
 * and the row names its company, the name decides. Null if the row names another company than any
 * that had the symbol.
 */
export type HolderAt = (symbol: string, day: LocalDate, company?: string | null) => string | null;

/**
 * Resolves these securities' symbols by date. A symbol refers to its last holder at that date, or
 * to the first holder for earlier dates. Each row about a symbol thus belongs to exactly one
 * security. Rename dates are ignored, because sources adopt a rename on different days.
 */
export async function loadHolders(
  db: Queryable,
  securities: readonly Security[],
): Promise<HolderAt> {
  const shared = securities.flatMap(({ symbols }) =>
    symbols.flatMap(({ symbol, from, to }) => (from === null && to === null ? [] : [symbol])),
  );
  return holderAt([...securities, ...(await loadSecuritiesBySymbol(db, shared))]);
}

interface Holder {
  symbol: string;
  from: LocalDate | null;
  names: readonly string[];
  id: string;
}

/** Like `loadHolders`, but takes securities that include every holder of their symbols. */
export function holderAt(securities: readonly Security[]): HolderAt {
  const distinct = new Map(securities.map((security) => [security.id, security]));
  const spans = [...distinct.values()].flatMap(({ id, symbols }) =>
    symbols.map(({ symbol, from, names = [] }): Holder => ({ symbol, from, names, id })),
  );
  const holders = Map.groupBy(spans.toSorted(compareBy(orderOf)), ({ symbol }) => symbol);
  return (symbol, day, company = null) => {
    const ofSymbol = holders.get(symbol) ?? [];
    const holder = ofSymbol.findLast(({ from }) => from === null || from <= day) ?? ofSymbol[0];
    if (holder === undefined) return null;
    if (company === null || ofSymbol.length === 1) return holder.id;
    return holderNamed(company, ofSymbol, holder)?.id ?? null;
  };
}

/** Returns the holder with the name; null if the row names none of several known companies. */
function holderNamed(
  company: string,
  holders: readonly Holder[],
  holderOnDay: Holder,
): Holder | null {
  const likeness = new Map(holders.map((holder) => [holder, bestLikeness(company, holder.names)]));
  const onDay = likeness.get(holderOnDay);
  if (onDay === 'same') return holderOnDay;
  const named = holders.filter((holder) => likeness.get(holder) === 'same');
  if (named.length > 0) return named.at(-1) ?? null;
  const isUnnamed = holders.some(({ names }) => names.length === 0);
  return onDay === 'similar' || isUnnamed ? holderOnDay : null;
}

function orderOf({ from, id }: { from: LocalDate | null; id: string }): string {
  return `${from ?? ''}/${id}`;
}
