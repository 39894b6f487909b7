import { lastHolder } from '../../datasets/securities/last-holder.ts';
import { suggestSymbols } from '../../datasets/securities/suggest.ts';
import { loadSecuritiesAt, loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Security } from '../../datasets/securities/row.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EndpointAnswer } from '../endpoint.ts';

type UnknownSymbol = Extract<EndpointAnswer, { kind: 'unknown-symbol' }>;

/**
 * The security that a symbol means today, or meant at an instant by what was known then; of a symbol
 * that none has any more, the one that had it last. When that one was renamed, the symbol answers as
 * unknown with its successor; one never heard of, with symbols that look like it. As of an instant
 * nothing is suggested: what may be meant is told of today.
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
  const holder = lastHolder(symbol, securities);
  if (holder?.symbol === symbol) return holder;
  return {
    kind: 'unknown-symbol',
    symbol,
    suggestions: holder === null && at === null ? await suggestSymbols(db, symbol) : [],
    successorSymbol: holder?.symbol ?? null,
  };
}
