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
 * Returns the security that had each symbol on the day, or else the one that had it last; null if no
 * security ever had it.
 */
export async function findHoldersOn(
  db: Queryable,
  symbols: readonly string[],
  day: LocalDate,
): Promise<Map<string, Security | null>> {
  const securities = await loadSecuritiesBySymbol(db, symbols);
  const byId = new Map(securities.map((security) => [security.id, security]));
  const idOf = holderAt(securities);
  return new Map(
    symbols.map((symbol) => {
      const holder = byId.get(idOf(symbol, day) ?? '') ?? lastHolder(symbol, securities);
      return [symbol, holder];
    }),
  );
}

/** Returns the security with the symbols that it had by the day, and without later knowledge. */
export function publicIdentity(security: Security, day: LocalDate): Security {
  const symbols = security.symbols
    .filter(({ from }) => from === null || from <= day)
    .map((span) => (span.to !== null && span.to > day ? { ...span, to: null } : span));
  const symbol = symbols.findLast(({ to }) => to === null)?.symbol ?? security.symbol;
  return { ...security, symbol, symbols, name: null, exchange: null, listedAt: null };
}
