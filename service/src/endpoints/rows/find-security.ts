import { suggestSymbols } from '../../datasets/securities/suggest.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Security } from '../../datasets/securities/row.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EndpointAnswer } from '../endpoint.ts';

type UnknownSymbol = Extract<EndpointAnswer, { kind: 'unknown-symbol' }>;

/**
 * The security that a symbol means today. A symbol that only meant one in the past answers as
 * unknown with its successor; one never heard of, with symbols that look like it.
 */
export async function findSecurity(
  db: Queryable,
  symbol: string,
): Promise<Security | UnknownSymbol> {
  const securities = await loadSecuritiesBySymbol(db, [symbol]);
  const current = securities.find((security) => security.symbol === symbol && isOpen(security));
  if (current !== undefined) return current;
  const former = securities.find((security) => security.symbol !== symbol);
  const last = securities.find((security) => security.symbol === symbol);
  if (former === undefined && last !== undefined) return last;
  return {
    kind: 'unknown-symbol',
    symbol,
    suggestions: former === undefined ? await suggestSymbols(db, symbol) : [],
    successorSymbol: former?.symbol ?? null,
  };
}

function isOpen(security: Security): boolean {
  return security.symbols.some(({ symbol, to }) => symbol === security.symbol && to === null);
}
