import { AnswerError } from '../provider.ts';
import type { Answer, Feed, Parsed } from '../provider.ts';
import { isObject, readObject } from './answer-body.ts';
import { cameFrom, edgarRequest, WWW_HOST } from './edgar.ts';
import { readSecurities } from './securities-row.ts';
import type { RawSecurity } from './securities-row.ts';

const PATH = /^\/files\/company_tickers\.json$/;

/** Every ticker with its filer: `{"0": {cik_str, ticker, title}, "1": …}`, largest first. */
export const companyTickers: Feed = {
  name: 'company-tickers',
  datasets: ['securities'],
  claims: (answer) => cameFrom(answer, WWW_HOST, PATH),
  parse,
  plan: (context) => [edgarRequest(`https://${WWW_HOST}/files/company_tickers.json`, context)],
};

function parse(answer: Answer): Parsed {
  const rows = Object.values(readObject(answer));
  if (rows.length === 0) {
    throw new AnswerError('damaged', 'no-rows', 'the list of tickers is empty');
  }
  return readSecurities(rows.map(toRawSecurity));
}

function toRawSecurity(row: unknown): RawSecurity {
  const columns = isObject(row) ? row : {};
  return {
    ticker: columns['ticker'],
    cik: columns['cik_str'],
    name: columns['title'],
    exchange: null,
    row,
  };
}
