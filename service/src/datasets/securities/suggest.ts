import type { Queryable } from '../../storage/db.ts';

const SUGGESTIONS_MAX = 5;

/**
 * Returns up to five active symbols for a mistyped symbol: first those that differ only in dots,
 * then those that begin with it, then those one letter away, each in alphabetical order.
 */
export async function suggestSymbols(db: Queryable, symbol: string): Promise<string[]> {
  // Returns symbols of similar length with the same first letter, or with one additional letter in
  // front. Scans a few thousand rows, on a path that clients rarely use.
  const rows = await db.query<{ symbol: string }>(
    `select symbol from security
      where active and length(symbol) between $2::int4 - 1 and $2::int4 + 2
        and (left(symbol, 1) = left($1, 1) or substr(symbol, 2, 1) = left($1, 1))
      order by symbol`,
    [symbol, symbol.length],
  );
  return similarSymbols(
    symbol,
    rows.map((row) => row.symbol),
  );
}

/** Returns the symbols of the five largest companies by the market capitalization of price lists. */
export async function loadLargestSymbols(db: Queryable): Promise<string[]> {
  // Returns at most five rows. Scans all quotes, on a path that clients rarely use.
  const rows = await db.query<{ symbol: string }>(
    `select s.symbol from quote q join security s on s.symbol = q.symbol
      where s.active and q.market_cap is not null
      order by q.market_cap desc, s.symbol limit $1`,
    [SUGGESTIONS_MAX],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Like `suggestSymbols`, from sorted symbols. */
export function similarSymbols(symbol: string, symbols: readonly string[]): string[] {
  const same = symbols.filter((other) => lettersOf(other) === lettersOf(symbol));
  const begun = symbols.filter((other) => other.startsWith(symbol));
  const near = symbols.filter((other) => isOneEditAway(symbol, other));
  return [...new Set([...same, ...begun, ...near])].slice(0, SUGGESTIONS_MAX);
}

function lettersOf(symbol: string): string {
  return symbol.replaceAll('.', '');
}

/** Returns whether a single letter was changed, added, removed, or swapped with its neighbor. */
function isOneEditAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.slice(1) === restB.slice(1)) return true;
  if (restA.slice(1) === restB || restB.slice(1) === restA) return true;
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0];
  return isSwapped && restA.slice(2) === restB.slice(2);
}
