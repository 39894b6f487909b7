import { weekly } from '../../domain/market/due-times.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import { edgarRequest, isResponseFrom, WWW_HOST } from './edgar.ts';
import { readSecurities } from './filer/securities-row.ts';

const PATH = /^\/files\/company_tickers_exchange\.json$/;
const COLUMNS = ['ticker', 'cik', 'name', 'exchange'] as const;

/** Tickers with their filers and exchanges: `{fields: ["cik", …], data: [[320193, …], …]}`. */
export const companyTickersExchange: Feed = {
  name: 'company-tickers-exchange',
  datasets: ['securities'],
  schedule: [{ name: 'weekly', times: weekly(6, '04:05'), scope: 'all' }],
  claims: (response) => isResponseFrom(response, WWW_HOST, PATH),
  parse,
  plan: (context) => [
    edgarRequest(`https://${WWW_HOST}/files/company_tickers_exchange.json`, context),
  ],
};

/** Finds columns by name, so that new or moved columns are harmless; the exchange may be null. */
function parse(response: SourceResponse): ParseResult {
  const { fields, data } = readObject(response);
  if (!Array.isArray(fields) || !Array.isArray(data)) {
    throw new SourceResponseError('damaged', 'unexpected-shape', 'no fields or no data');
  }
  if (data.length === 0) throw new SourceResponseError('damaged', 'no-rows', 'the list is empty');
  const columns = COLUMNS.map((name) => [name, indexOfColumn(name, fields)] as const);
  return readSecurities(data.map((row: unknown) => nameColumns(row, columns)));
}

function nameColumns(row: unknown, columns: (readonly [string, number])[]): unknown {
  if (!Array.isArray(row)) return row;
  return Object.fromEntries(columns.map(([name, index]) => [name, row[index]]));
}

function indexOfColumn(name: string, fields: unknown[]): number {
  const index = fields.indexOf(name);
  if (index >= 0) return index;
  throw new SourceResponseError('damaged', 'missing-column', `no column named ${name}`);
}
