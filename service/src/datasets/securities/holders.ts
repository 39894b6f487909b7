import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Security } from './row.ts';
import { loadSecuritiesBySymbol } from './store.ts';

/** Whom a symbol means on a day. */
export type HolderAt = (symbol: string, day: LocalDate) => string | null;

/**
 * Which security each of these securities' symbols means by date. A symbol means the last holder
 * that had begun by then, and before all of them the first: so everything said of a symbol is about
 * one security. The dates of a rename do not count, since sources follow it on days of their own.
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

/** The same from securities alone, which must hold every holder of their symbols. */
export function holderAt(securities: readonly Security[]): HolderAt {
  const distinct = new Map(securities.map((security) => [security.id, security]));
  const spans = [...distinct.values()].flatMap(({ id, symbols }) =>
    symbols.map(({ symbol, from }) => ({ symbol, from, id })),
  );
  const holders = Map.groupBy(
    spans.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    ({ symbol }) => symbol,
  );
  return (symbol, day) => {
    const ofSymbol = holders.get(symbol) ?? [];
    const begun = ofSymbol.findLast(({ from }) => from === null || from <= day);
    return (begun ?? ofSymbol[0])?.id ?? null;
  };
}

function orderOf({ from, id }: { from: LocalDate | null; id: string }): string {
  return `${from ?? ''}/${id}`;
}
