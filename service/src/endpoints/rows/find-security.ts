import { findHoldersOn } from '../../datasets/securities/public-identity.ts';
import { lastHolder } from '../../datasets/securities/last-holder.ts';
import { loadLargestSymbols, suggestSymbols } from '../../datasets/securities/suggest.ts';
import { loadSecuritiesAt, loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Security } from '../../datasets/securities/row.ts';
import type { Queryable } from '../../storage/db.ts';
import { readMarker } from '../../storage/marker.ts';
import type { EndpointResponse, UnknownSymbol } from '../endpoint.ts';
import type { PointInTime } from './past-reads.ts';

type UnknownSymbolResponse = Extract<EndpointResponse, { kind: 'unknown-symbol' }>;

/**
 * Resolves a symbol to the security that has it today or, at a past point in time, to the security
 * that had it then: according to the facts known to the store at that time, or, for the public's
 * knowledge, to those known today. If no current security has the symbol, the
 * last security that had it is returned. If that security was renamed, returns `unknown-symbol`
 * with its successor. For a symbol that never existed, returns similar symbols, and in a sandbox
 * those of the largest companies too, except for a past instant, because suggestions are based on
 * current data.
 */
export async function findSecurity(
  db: Queryable,
  symbol: string,
  point: PointInTime | null = null,
): Promise<Security | UnknownSymbolResponse> {
  const { securities, unknown } = await findSecurities(db, [symbol], point);
  const [security] = securities;
  if (security !== undefined) return security;
  const successorSymbol = unknown[0]?.successorSymbol ?? null;
  const isPast = point !== null && point.at !== null;
  const response = { kind: 'unknown-symbol', symbol, suggestions: [], successorSymbol } as const;
  if (successorSymbol !== null || isPast) return { ...response, suggestions: [] };
  const suggestions = await suggestSymbols(db, symbol);
  if ((await readMarker(db, 'kind')) !== 'sandbox') return { ...response, suggestions };
  // A visitor who tries a real symbol needs one that exists in the sandbox.
  const largest = await loadLargestSymbols(db);
  return {
    ...response,
    suggestions: [...new Set([...suggestions, ...largest])],
    isSimulated: true,
  };
}

/**
 * Resolves several symbols like `findSecurity`. Returns each security once, in the order of the
 * symbols, and the symbols without one.
 */
export async function findSecurities(
  db: Queryable,
  symbols: readonly string[],
  point: PointInTime | null = null,
): Promise<{ securities: Security[]; unknown: UnknownSymbol[] }> {
  const holderOf = await loadHolders(db, symbols, point);
  const securities = new Map<string, Security>();
  const unknown: UnknownSymbol[] = [];
  for (const symbol of symbols) {
    const holder = holderOf.get(symbol) ?? null;
    // In the public's knowledge, a company may be requested by the symbol that it had then.
    const isFound = holder?.symbol === symbol || point?.known === 'public';
    if (holder !== null && isFound) securities.set(holder.id, holder);
    else unknown.push({ symbol, successorSymbol: holder?.symbol ?? null });
  }
  return { securities: [...securities.values()], unknown };
}

async function loadHolders(
  db: Queryable,
  symbols: readonly string[],
  point: PointInTime | null,
): Promise<Map<string, Security | null>> {
  if (point?.known === 'public') return findHoldersOn(db, symbols, point.today);
  const at = point?.at ?? null;
  const securities = await (at === null
    ? loadSecuritiesBySymbol(db, symbols)
    : loadSecuritiesAt(db, symbols, at));
  return new Map(symbols.map((symbol) => [symbol, lastHolder(symbol, securities)]));
}
