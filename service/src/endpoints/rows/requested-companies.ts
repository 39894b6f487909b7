import type { Security } from '../../datasets/securities/row.ts';
import type { Queryable } from '../../storage/db.ts';
import type {
  EndpointResponse,
  Parameter,
  ParameterFault,
  UnknownSymbol,
  Values,
} from '../endpoint.ts';
import { findSecurities, findSecurity } from './find-security.ts';
import type { PointInTime } from './past-reads.ts';

const SYMBOLS_MAX = 100;

/** The companies of an endpoint about companies, each of which has many fields or rows. */
export const companySymbolsParameter: Parameter = {
  name: 'symbols',
  in: 'query',
  kind: 'symbols',
  max: SYMBOLS_MAX,
  required: false,
  describe:
    `Several ticker symbols, separated by commas: at most ${SYMBOLS_MAX}. \`@name\` stands for the ` +
    'companies on a watchlist, which count too.',
};

/** Returns the symbols in `symbol` or `symbols`. */
export function requestedSymbols(values: Values): readonly string[] {
  return values.symbols('symbols') ?? [values.symbol('symbol')];
}

/** Requires either `symbol` or `symbols`. */
export function symbolOrSymbolsFault(values: Values): ParameterFault | null {
  const [symbol, symbols] = [values.choice('symbol'), values.symbols('symbols')];
  if (symbol === null && symbols === null) {
    const detail = 'The parameter symbol is required, unless symbols is given.';
    return { code: 'missing-parameter', parameter: 'symbol', detail };
  }
  if (symbol === null || symbols === null) return null;
  const detail = 'Use either symbol or symbols, but not both.';
  return { code: 'invalid-parameter', parameter: 'symbols', detail };
}

/**
 * Finds the requested securities, sorted by symbol. A single `symbol` must exist. Of several
 * `symbols`, unknown ones are returned, because one of them is no reason to withhold the others.
 */
export async function findRequested(
  db: Queryable,
  values: Values,
  point: PointInTime,
): Promise<
  | { securities: readonly Security[]; unknown: readonly UnknownSymbol[] }
  | Extract<EndpointResponse, { kind: 'unknown-symbol' }>
> {
  const symbols = values.symbols('symbols');
  if (symbols !== null) return findSecurities(db, symbols, point);
  const security = await findSecurity(db, values.symbol('symbol'), point);
  return 'kind' in security ? security : { securities: [security], unknown: [] };
}
