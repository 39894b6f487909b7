import { weekly } from '../../domain/market/due-times.ts';
import { isJsonObject } from '../kit/json.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import { edgarRequest, isResponseFrom, WWW_HOST } from './edgar.ts';
import { readSecurities } from './filer/securities-row.ts';

const PATH = /^\/files\/company_tickers\.json$/;

/**
 * Every ticker with its filer, largest company first: `{"0": {cik_str, ticker, title}, "1": …}`.
 */
export const companyTickers: Feed = {
  name: 'company-tickers',
  datasets: ['securities'],
  schedule: [{ name: 'weekly', times: weekly(6, '04:00'), scope: 'all' }],
  claims: (response) => isResponseFrom(response, WWW_HOST, PATH),
  parse,
  plan: (context) => [edgarRequest(`https://${WWW_HOST}/files/company_tickers.json`, context)],
};

function parse(response: SourceResponse): ParseResult {
  const rows = Object.values(readObject(response));
  if (rows.length === 0) throw new SourceResponseError('damaged', 'no-rows', 'the list is empty');
  return readSecurities(rows.map(nameColumns));
}

function nameColumns(row: unknown): unknown {
  if (!isJsonObject(row)) return row;
  return { ticker: row['ticker'], cik: row['cik_str'], name: row['title'], exchange: null };
}
