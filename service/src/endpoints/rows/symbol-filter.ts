import type { Parameter, Values } from '../endpoint.ts';

/** Maximum number of companies of a filter: as many as a watchlist can have. */
export const FILTER_SYMBOLS_MAX = 1_000;

export const symbolsParameter: Parameter = {
  name: 'symbols',
  in: 'query',
  kind: 'symbols',
  max: FILTER_SYMBOLS_MAX,
  required: false,
  describe:
    `Returns only these symbols, separated by commas: at most ${FILTER_SYMBOLS_MAX}, and as many as ` +
    'the URL can hold. `@name` stands for a watchlist. Unknown symbols match nothing.',
};

/** Filters rows by the requested symbols, or returns all rows if no symbols are requested. */
export function filterBySymbols<Row extends { symbol: string | null }>(
  rows: readonly Row[],
  values: Values,
): readonly Row[] {
  const symbols = values.symbols('symbols');
  if (symbols === null) return rows;
  const requested = new Set(symbols);
  return rows.filter(({ symbol }) => symbol !== null && requested.has(symbol));
}
