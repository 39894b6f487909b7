import type { Security, SymbolSpan } from './row.ts';

/**
 * The security that a symbol means now, else the one that it meant last: of its holders, the one
 * whose span ends latest, an open one before all. Null when none of them ever had it.
 */
export function lastHolder(symbol: string, securities: readonly Security[]): Security | null {
  const spans = securities.flatMap((security) =>
    security.symbols
      .filter((span) => span.symbol === symbol)
      .map((span) => ({ security, rank: rankOf(security, span) })),
  );
  return spans.toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.security ?? null;
}

/** By last day, whether it is still called so, and first day; then by id, so that it is total. */
function rankOf(security: Security, { symbol, from, to }: SymbolSpan): string {
  const isOwn = security.symbol === symbol ? '1' : '0';
  return `${to ?? '9999'} ${isOwn} ${from ?? ''} ${security.id}`;
}
