import type { LocalDate } from '../../domain/local-date.ts';
import { compareBy } from '../../platform/compare.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Security } from './row.ts';
import { loadSecuritiesBySymbol } from './store.ts';

/** Returns the security that a symbol refers to on a given day. */
export type HolderAt = (symbol: string, day: LocalDate) => string | null;

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

/** Like `loadHolders`, but takes securities that include every holder of their symbols. */
export function holderAt(securities: readonly Security[]): HolderAt {
  const distinct = new Map(securities.map((security) => [security.id, security]));
  const spans = [...distinct.values()].flatMap(({ id, symbols }) =>
    symbols.map(({ symbol, from }) => ({ symbol, from, id })),
  );
  const holders = Map.groupBy(spans.toSorted(compareBy(orderOf)), ({ symbol }) => symbol);
  return (symbol, day) => {
    const ofSymbol = holders.get(symbol) ?? [];
    const begun = ofSymbol.findLast(({ from }) => from === null || from <= day);
    return (begun ?? ofSymbol[0])?.id ?? null;
  };
}

function orderOf({ from, id }: { from: LocalDate | null; id: string }): string {
  return `${from ?? ''}/${id}`;
}
