import { suggestSymbols } from '../../datasets/securities/suggest.ts';
import { loadSecuritiesAt, loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Security } from '../../datasets/securities/row.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EndpointAnswer } from '../endpoint.ts';

type UnknownSymbol = Extract<EndpointAnswer, { kind: 'unknown-symbol' }>;

/**
 * The security that a symbol means today, or meant at an instant by what was known then. A symbol
 * that only meant one before answers as unknown with its successor; one never heard of, with symbols
 * that look like it. As of an instant nothing is suggested: what may be meant is told of today.
 */
export async function findSecurity(
  db: Queryable,
  symbol: string,
  at: Instant | null = null,
): Promise<Security | UnknownSymbol> {
  const securities =
    at === null
      ? await loadSecuritiesBySymbol(db, [symbol])
      : await loadSecuritiesAt(db, symbol, at);
  const current = securities.find((security) => security.symbol === symbol && isOpen(security));
  if (current !== undefined) return current;
  const former = securities.find((security) => security.symbol !== symbol);
  const last = securities.find((security) => security.symbol === symbol);
  if (former === undefined && last !== undefined) return last;
  return {
    kind: 'unknown-symbol',
    symbol,
    suggestions: former === undefined && at === null ? await suggestSymbols(db, symbol) : [],
    successorSymbol: former?.symbol ?? null,
  };
}

function isOpen(security: Security): boolean {
  return security.symbols.some(({ symbol, to }) => symbol === security.symbol && to === null);
}
