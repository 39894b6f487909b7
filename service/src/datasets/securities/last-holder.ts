import type { Security, SymbolSpan } from './row.ts';

/**
 * Returns the security that a symbol refers to now, or else the one that it last referred to: the
 * holder whose period ends latest, open periods first. Null if no security ever had the symbol.
 */
export function lastHolder(symbol: string, securities: readonly Security[]): Security | null {
  const spans = securities.flatMap((security) =>
    security.symbols
      .filter((span) => span.symbol === symbol)
      .map((span) => ({ security, rank: rankOf(security, span) })),
  );
  return spans.toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.security ?? null;
}

/** Orders by last day, current symbol and first day, then by id so that the order is total. */
function rankOf(security: Security, { symbol, from, to }: SymbolSpan): string {
  const isOwn = security.symbol === symbol ? '1' : '0';
  return `${to ?? '9999'} ${isOwn} ${from ?? ''} ${security.id}`;
}
