import { endpoints } from '../../src/endpoints/registry.gen.ts';
import type { Queryable } from '../../src/storage/db.ts';
import { parameterValues } from './parameter-values.ts';

/** A query to an endpoint that supports `asOf`. */
export interface HistoricalQuery {
  endpoint: string;
  parameters: Readonly<Record<string, string | readonly string[]>>;
}

/** The response about an instant before the store's first commit. */
export const NOT_KNOWN_YET = '{"kind":"not-known-yet"}';

const DAYS = { from: '2026-02-01', to: '2026-02-28' };
const PROVENANCE = { include: 'provenance' };

/** Queries about the generated world and the rows that `writeDirectly` adds. */
export const HISTORICAL_QUERIES: readonly HistoricalQuery[] = [
  ...['2026-02-10', '2026-02-12'].map((date) => ({
    endpoint: 'calendar-earnings',
    parameters: { date },
  })),
  { endpoint: 'calendar-earnings', parameters: { ...DAYS, ...PROVENANCE } },
  { endpoint: 'calendar-earnings', parameters: { ...DAYS, symbols: ['BLUE', 'NRTH'] } },
  ...['NRTH', 'OLDC', 'NEWC', 'BLUE', 'NONE'].flatMap((symbol) => [
    { endpoint: 'earnings', parameters: { symbol } },
    { endpoint: 'profile', parameters: { symbol } },
  ]),
  { endpoint: 'earnings', parameters: { symbol: 'NRTH', ...PROVENANCE } },
  { endpoint: 'profile', parameters: { symbol: 'NEWC', ...PROVENANCE } },
  { endpoint: 'calendar-dividends', parameters: {} },
  { endpoint: 'calendar-dividends', parameters: { ...DAYS, ...PROVENANCE } },
  { endpoint: 'calendar-ipo', parameters: {} },
  { endpoint: 'calendar-ipo', parameters: DAYS },
  { endpoint: 'calendar-economic', parameters: { date: '2026-02-12' } },
  { endpoint: 'calendar-economic', parameters: { ...DAYS, ...PROVENANCE } },
];

/**
 * Returns the response as text, even if it is an error. With `asOf` null, it requests current data.
 */
export async function queryAsOf(
  db: Queryable,
  { endpoint: name, parameters }: HistoricalQuery,
  asOf: number | null,
  now: number,
): Promise<string> {
  const endpoint = endpoints.find((candidate) => candidate.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const values = parameterValues({ ...parameters, asOf });
  const fault = endpoint.check?.(values, now) ?? null;
  if (fault !== null)
    throw new Error(`${name} rejects ${JSON.stringify(parameters)}: ${fault.detail}`);
  const response = await endpoint.handle(values, { db, now });
  // The first commit may follow, so the instant in the response is not final.
  return response.kind === 'not-known-yet' ? NOT_KNOWN_YET : JSON.stringify(response);
}

const WITHOUT_HISTORY: ReadonlySet<string> = new Set([
  'marketCap',
  'price',
  'priceDate',
  'averageVolume',
  'yield',
  'splitAdjustedAmount',
  'suggestions',
]);

/**
 * Returns the response in canonical order, without values that have no history. The rest must be
 * the same with and without `asOf`.
 */
export function withoutUnversioned(response: string): unknown {
  return JSON.parse(response, (name, value: unknown) => {
    if (WITHOUT_HISTORY.has(name)) return null;
    if (name === 'body' && isFromPriceListsAlone(value)) return { ...value, active: null };
    const isBucket = ['pre', 'after', 'notSupplied'].includes(name) && Array.isArray(value);
    return isBucket ? bySymbol(value as { symbol: string; id: string }[]) : value;
  });
}

function bySymbol(rows: readonly { symbol: string; id: string }[]): unknown {
  return rows.toSorted((a, b) => (`${a.symbol} ${a.id}` < `${b.symbol} ${b.id}` ? -1 : 1));
}

/** Checks whether price lists alone determine that the company is active. */
function isFromPriceListsAlone(body: unknown): body is object {
  return typeof body === 'object' && body !== null && 'cik' in body && body.cik === null;
}
