import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';
import { holderAt } from './holders.ts';
import { lastHolder } from './last-holder.ts';
import type { Security } from './row.ts';
import { loadSecuritiesBySymbol } from './store.ts';

/**
 * Identity in responses about public knowledge: the store's present knowledge tells which company a
 * symbol meant on a day, because lists of symbols have no publication time. Names and dates of the
 * lists are omitted, because they may be of a later time.
 */

/**
 * Returns the security that had the symbol on the day, or else the one that had it last; null if no
 * security ever had it.
 */
export async function findHolderOn(
  db: Queryable,
  symbol: string,
  day: LocalDate,
): Promise<Security | null> {
  const securities = await loadSecuritiesBySymbol(db, [symbol]);
  const id = holderAt(securities)(symbol, day);
  return securities.find((security) => security.id === id) ?? lastHolder(symbol, securities);
}

/** Returns the security with the symbols that it had by the day, and without later knowledge. */
export function publicIdentity(security: Security, day: LocalDate): Security {
  const symbols = security.symbols
    .filter(({ from }) => from === null || from <= day)
    .map((span) => (span.to !== null && span.to > day ? { ...span, to: null } : span));
  const symbol = symbols.findLast(({ to }) => to === null)?.symbol ?? security.symbol;
  return { ...security, symbol, symbols, name: null, exchange: null, listedAt: null };
}
