import { findHolderOn } from '../../datasets/securities/public-identity.ts';
import { lastHolder } from '../../datasets/securities/last-holder.ts';
import { suggestSymbols } from '../../datasets/securities/suggest.ts';
import { loadSecuritiesAt, loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Security } from '../../datasets/securities/row.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EndpointResponse } from '../endpoint.ts';
import type { PointInTime } from './past-reads.ts';

type UnknownSymbol = Extract<EndpointResponse, { kind: 'unknown-symbol' }>;

/**
 * Resolves a symbol to the security that has it today or, at a past point in time, to the security
 * that had it then: according to the facts known to the store at that time, or, for the public's
 * knowledge, to those known today. If no current security has the symbol, the
 * last security that had it is returned. If that security was renamed, returns `unknown-symbol`
 * with its successor. For a symbol that never existed, returns similar symbols, except for a past
 * instant, because suggestions are based on current data.
 */
export async function findSecurity(
  db: Queryable,
  symbol: string,
  point: PointInTime | null = null,
): Promise<Security | UnknownSymbol> {
  const at = point?.at ?? null;
  if (point?.known === 'public') {
    const security = await findHolderOn(db, symbol, point.today);
    return security ?? { kind: 'unknown-symbol', symbol, suggestions: [], successorSymbol: null };
  }
  const securities =
    at === null
      ? await loadSecuritiesBySymbol(db, [symbol])
      : await loadSecuritiesAt(db, symbol, at);
  const holder = lastHolder(symbol, securities);
  if (holder?.symbol === symbol) return holder;
  return {
    kind: 'unknown-symbol',
    symbol,
    suggestions: holder === null && at === null ? await suggestSymbols(db, symbol) : [],
    successorSymbol: holder?.symbol ?? null,
  };
}
